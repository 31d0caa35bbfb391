// The same as native tools `code`, `bash` and `python`, with a question before each program and a log of all: node code-as-tool.ts
import { createProgramExecutor, patchOpenAIWithPtc } from 'kennel/ptc';
import OpenAI from 'openai';

const cwd = process.cwd();
const client = patchOpenAIWithPtc(new OpenAI(), {
  cwd,
  codeTools: true,
  executor: createProgramExecutor({ cwd, timeout: 30 }),
  approve: ({ name, args }) => name === 'bash' && String(args.code).startsWith('ls'),
  logDir: 'logs',
  onCode: ({ target, status, output }) => console.log(`${target}: ${status}\n${output}`),
});
const answer = await client.chat.completions.create({
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'Which files are here?' }],
});
console.log(answer.choices[0]?.message.content);
await client.cleanupPtc();
