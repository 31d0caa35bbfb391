// A program that runs workflows: one JSON request on standard input, one line `{ envelope | threw, ms }` on
// standard output. `action` is run or resume; `lingerMs` keeps the process alive afterwards.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const built = new URL('dist/library/puppy.js', root);
const newer = new URL('node_modules/node/bin/node', root);

// On a Node that is too old for the product, restarts with the project's own Node.
if (Number(process.versions.node.split('.')[0]) < 22 && existsSync(newer)) {
  const again = spawnSync(fileURLToPath(newer), [fileURLToPath(import.meta.url)], { stdio: 'inherit' });
  process.exit(again.status ?? 1);
}

const library = existsSync(built) ? built : new URL('src/library/puppy.ts', root);
const { runWorkflow, resumeWorkflow } = await import(library.href);

async function answer({
  action,
  pipeline,
  argsJson,
  cwd,
  timeoutMs,
  maxStdoutBytes,
  token,
  approve,
  response,
}) {
  const limits = { timeoutMs, maxStdoutBytes };
  if (action === 'run') return runWorkflow(pipeline || {}, { ...limits, argsJson, cwd });
  if (action === 'resume') return resumeWorkflow({ token, approve, response }, limits);
  throw new Error(action === undefined ? 'action required' : `Unknown action: ${action}`);
}

const request = JSON.parse(await text(process.stdin));
const begun = performance.now();
const told = await answer(request).then(
  (envelope) => ({ envelope }),
  (error) => ({ threw: String(error?.message ?? error) }),
);
process.stdout.write(`${JSON.stringify({ ...told, ms: Math.round(performance.now() - begun) })}\n`);
if (request.lingerMs) await new Promise((end) => setTimeout(end, request.lingerMs));
