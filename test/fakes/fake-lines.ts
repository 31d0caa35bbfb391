/**
 * A program without a protocol, as Hermes with `chat --quiet`: reads one message, prints its reply and ends. The last
 * line of the message is the script: `say TEXT` · `nothing` · `exit CODE` · `hang` ·
 * `flood LINES`.
 */
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const at = process.argv.indexOf('--resume');
const resumed = at < 0 ? null : process.argv[at + 1];
const fileOf = (id: string): string => join(process.env.CLAUDE_CONFIG_DIR ?? '.', `${id}.txt`);
if (resumed && !existsSync(fileOf(resumed))) {
  console.error(`Session not found: ${resumed}`);
  process.exit(1);
}
const id = resumed ?? `s${process.pid}`;
const message = await text(process.stdin);
appendFileSync(fileOf(id), `${message}\n--\n`);
const [, word = '', rest = ''] =
  /(\w+) ?(.*)$/.exec(message.trim().split('\n').at(-1)?.replace('- message: ', '') ?? '') ?? [];
if (word === 'exit') process.exit(Number(rest));
if (word === 'hang') await pause(600_000);
console.log(resumed ? `↻ Resumed session ${id} (2 msgs)` : `session_id: ${id}`);
if (word === 'say') console.log(rest);
if (word === 'flood') for (let line = 0; line < Number(rest); line += 1) console.log('x'.repeat(999));
