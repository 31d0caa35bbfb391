// Verifies a file of "puppy log RUN --export FILE" with nothing but Node: node verify-run.mjs FILE
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex');
const whole = (_, value, { source = '' } = {}) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value;
const stable = (value) => {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${stable(value[name])}`).join(',')}}`;
};
const must = (holds, what) => {
  if (!holds) throw new Error(what);
};

const [first, ...lines] = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n');
const { run, events, head, texts } = JSON.parse(first);
must(lines.length === events + texts, 'lines are missing, or there are too many');
const names = new Map(lines.slice(events).map((line) => [JSON.parse(line).hash, JSON.parse(line).text]));
for (const [hash, text] of names) must(sha256(text) === hash, `the text ${hash} was changed`);
let [previous, definition] = [sha256(run), ''];
const seen = new Map();
for (const [at, line] of lines.slice(0, events).entries()) {
  const row = JSON.parse(line, whole);
  must(row.run === run && row.seq === at + 1 && row.previous === previous, `event ${at + 1} does not follow`);
  previous = sha256(line);
  const { type, path, gate, content, contentHash, decision, by, result, output, children = {} } = row.event;
  if (type === 'run_created') definition = row.event.definition;
  const named = [definition, ...Object.values(children), result?.blob, output?.blob].filter(Boolean);
  must(
    named.every((hash) => names.has(hash)),
    `event ${row.seq} names a text that is missing`,
  );
  if (type === 'gate_opened')
    seen.set(gate, { content, hash: sha256(stable({ content, definition, gate, path, run })) });
  if (contentHash)
    must(seen.get(gate)?.hash === contentHash, `event ${row.seq} is about something else than was shown`);
  if (type === 'gate_decided')
    console.log(
      `${new Date(row.at).toISOString()} ${by ?? 'somebody'}: ${decision}: ${seen.get(gate).content.prompt}`,
    );
}
must(previous === head, 'events are missing at the end');
console.log(`Whole: ${events} events, the last is ${head}.`);
