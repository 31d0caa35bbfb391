/**
 * How often short ids may be tried: eight digits could be guessed, so that twenty wrong ones within ten minutes are the
 * last for a while, whichever program tries. A try is written down before it is looked at.
 */
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';

const windowMs = 10 * 60_000;
const mostWrong = 20;
/** Bytes after which what is long past is dropped. */
const longFile = 16_384;

/** `sign` -1: a try that was right. */
function recent(file: string, now: number): { readonly wrong: number; readonly lines: readonly string[] } {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // There was no try yet.
  }
  const lines = text.split('\n').filter((line) => {
    const at = Math.abs(Number(line));
    // A clock that was set back must not let anybody go on guessing.
    return line !== '' && Number.isFinite(at) && now - at < windowMs;
  });
  const wrong = lines.reduce((sum, line) => sum + (line.startsWith('-') ? -1 : 1), 0);
  return { wrong, lines };
}

/** `rate_limited` when there were too many wrong ones; else say when it was right. */
export function admitGuess(stateDir: string, now: number): Result<{ wasRight(): void }> {
  const file = path.join(stateDir, 'short-id-tries');
  appendFileSync(file, `${now}\n`, { mode: 0o600 });
  const { wrong, lines } = recent(file, now);
  if (wrong > mostWrong) {
    return err(
      appError(
        'rate_limited',
        'Too many approval ids were tried; nothing was decided. Wait ten minutes, or use the token.',
      ),
    );
  }
  if (statSync(file).size > longFile) writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return ok({ wasRight: () => appendFileSync(file, `-${now}\n`) });
}
