/** Worker thread that runs code: one at a time, as often as it is asked. An exception ends the thread. */
import { parentPort } from 'node:worker_threads';
import type { CodeAnswer } from '../../core/ptc/code-ports.ts';
import type { FromCodeThread, ToCodeThread } from './code-frames.ts';
import { createInterpreter } from './interpreter.ts';

const interpret = createInterpreter();
const waiting = new Map<number, (answer: CodeAnswer) => void>();
let calls = 0;
let answers = 0;

const tell = (frame: FromCodeThread): void => parentPort?.postMessage(frame);

function call(tool: string, args: unknown): Promise<CodeAnswer> {
  calls += 1;
  const id = calls;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    tell({ type: 'call', call: id, tool, args });
  });
}

async function run({ code, functions, limits }: Extract<ToCodeThread, { type: 'run' }>): Promise<void> {
  answers = 0;
  waiting.clear();
  const starts = (): void => tell({ type: 'started' });
  const waits = (): void => tell({ type: 'waits', answers });
  const outcome = await interpret({ code, functions, limits, call, starts, waits });
  tell({ type: 'end', outcome });
}

parentPort?.on('message', (frame: ToCodeThread) => {
  if (frame.type === 'run') void run(frame);
  else {
    answers += 1;
    const resolve = waiting.get(frame.call);
    waiting.delete(frame.call);
    resolve?.(frame.answer);
  }
});
