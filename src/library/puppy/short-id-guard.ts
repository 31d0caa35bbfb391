/**
 * Rate limit on short ids, whose eight digits could be guessed: after twenty wrong ones within ten minutes
 * all processes are refused for a while. Each attempt is recorded before it is checked.
 */
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';

const windowMs = 10 * 60_000;
const mostWrong = 20;
/** File size in bytes above which old entries are dropped. */
const longFile = 16_384;

/** A negative time records a correct attempt. */
function recent(file: string, now: number): { readonly wrong: number; readonly lines: readonly string[] } {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // The file does not exist before the first attempt.
  }
  const lines = text.split('\n').filter((line) => {
    const at = Math.abs(Number(line));
    // Setting the clock back must not reset the limit.
    return line !== '' && Number.isFinite(at) && now - at < windowMs;
  });
  const wrong = lines.reduce((sum, line) => sum + (line.startsWith('-') ? -1 : 1), 0);
  return { wrong, lines };
}

/** `rate_limited` after too many wrong attempts; otherwise call `wasRight` for a correct one. */
export function admitGuess(stateDir: string, now: number): Result<{ wasRight(): void }> {
  const file = path.join(stateDir, 'short-id-tries');
  appendFileSync(file, `${now}\n`, { mode: 0o600 });
  const { wrong, lines } = recent(file, now);
  if (wrong > mostWrong) {
    return err(fail('rate_limited', 'workflows.tooManyApprovalIds'));
  }
  if (statSync(file).size > longFile) writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return ok({ wasRight: () => appendFileSync(file, `-${now}\n`) });
}
