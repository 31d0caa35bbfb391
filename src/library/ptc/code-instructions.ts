/** Instructions for the model about the code that it can write. Names and texts of tools are untrusted. */
import { bindTools } from '../../core/ptc/binding-names.ts';
import { typescriptBindings } from '../../core/ptc/typescript-bindings.ts';
import type { CallTool } from './tool-pool.ts';

/** Longer declarations are left out; the code asks for those that it needs. */
const longestDeclarations = 12_000;

const about = [
  'JavaScript is the body of an async function without files, network, timers and modules. It calls your tools:',
  '`const page = await tools.web.get({ url })`. console.log prints, a last `return` gives a value; only what it prints or',
  'returns comes back to you. Results are text, or data if the text is JSON. A failed call throws ToolError.',
  'Promise.all runs calls concurrently. await tools.ls() lists the tools, await tools.search("read") finds some,',
  'await tools.describe("web.get") gives the declaration of one.',
].join(' ');

const processAbout = 'bash and python are programs in the working folder. They cannot call your tools.';

const fenceAbout = [
  'To run code, or to write a file below the working folder, write a block of this form at the start of a line:',
  '```javascript:execute\nreturn 1 + 1\n```',
  '```notes.txt:create\ncontent\n```',
  'Use four backticks around content that has three. Blocks directly after each other run concurrently; write nothing else',
  'between them. Stop after your blocks: the results come with the next message, and text after them is dropped.',
].join('\n');

const languagesText = (hasPrograms: boolean): string =>
  hasPrograms ? 'javascript, typescript, bash, python' : 'javascript, typescript';

function toolsAbout(tools: readonly CallTool[]): string {
  if (tools.length === 0) return 'There are no tools.';
  const declared = typescriptBindings(bindTools(tools));
  if (declared.length <= longestDeclarations) return `Your tools:\n${declared}`;
  return `There are ${tools.length} tools. Find them with tools.search and tools.describe.`;
}

export const codeInstructions = (tools: readonly CallTool[], hasPrograms: boolean): string =>
  [
    fenceAbout,
    `Languages: ${languagesText(hasPrograms)}.`,
    about,
    ...(hasPrograms ? [processAbout] : []),
    toolsAbout(tools),
  ].join('\n\n');

export const codeToolDescription = (tools: readonly CallTool[]): string =>
  ['Runs JavaScript.', about, toolsAbout(tools)].join('\n\n');
