import { readFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { type CommandSpec, defineCommand } from '../command.ts';
import { editText } from '../editor.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type TableCell } from '../table.ts';
import { askYes, CommandFailure, canAsk, exitOk, show, usageError } from '../terminal.ts';
import { printable } from '../visible-text.ts';
import { utcMinute } from '../when.ts';

interface Flags {
  readonly json?: boolean;
}

const sizeOf = (bytes: number): string => (bytes === 1 ? '1 byte' : `${bytes.toLocaleString('en')} bytes`);

async function runMemoryList(args: readonly string[], flags: Flags): Promise<number> {
  const agent = args[0] ?? '';
  return withHost('look', async ({ call }) => {
    const listed = await call('memory.list', { agent });
    const rows = listed.notes.map(({ name, bytes, updatedAt, confirmed }): readonly TableCell[] => [
      name,
      confirmed ? { text: 'trusted', tone: 'good' } : { text: 'not confirmed', tone: 'attention' },
      utcMinute(updatedAt),
      sizeOf(bytes),
    ]);
    const waiting = listed.notes.find(({ confirmed }) => !confirmed);
    const hint = waiting
      ? [`Look at the new lines, and trust or delete them: "kennel memory confirm ${agent} ${waiting.name}".`]
      : [];
    const text =
      rows.length === 0
        ? `${agent} has no notes yet.`
        : [
            columnsText(['NOTE', 'STATE', 'CHANGED', 'SIZE'], rows),
            `${sizeOf(listed.promptBytes)} of notes go into its prompt.`,
            ...hint,
          ];
    show(flags.json === true, listed, text);
    return exitOk;
  });
}

async function runMemoryShow(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = '', name = ''] = args;
  return withHost('look', async ({ call }) => {
    const { text, versions } = await call('memory.read', { agent, name });
    if (versions.at(-1)?.removed === true) {
      throw new CommandFailure({
        code: 'not_found',
        message: `The note "${name}" was forgotten.`,
        hint: `"kennel memory history ${agent} ${name}" shows what it held.`,
      });
    }
    show(flags.json === true, { agent, name, text }, text.replace(/\n$/, ''));
    return exitOk;
  });
}

async function newText(name: string, file: string | undefined, before: string): Promise<string> {
  if (file === '-') return readAll(process.stdin);
  if (file === undefined) return editText(`${name}.md`, before);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw usageError(`The file ${file} cannot be read.`);
  }
}

/** A missing note is created. */
async function runMemoryEdit(args: readonly string[], flags: Flags & { file?: string }): Promise<number> {
  const [agent = '', name = ''] = args;
  return withHost('files', async ({ call }) => {
    const { notes } = await call('memory.list', { agent });
    const known = notes.some((note) => note.name === name);
    const before = known ? (await call('memory.read', { agent, name })).text : '';
    const text = await newText(name, flags.file, before);
    if (text === before) {
      show(flags.json === true, { agent, name, changed: false }, 'Nothing was changed.');
      return exitOk;
    }
    await call('memory.write', { agent, name, text });
    show(flags.json === true, { agent, name, changed: true }, `Saved the note "${name}" of ${agent}.`);
    return exitOk;
  });
}

async function runMemoryForget(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = '', name = ''] = args;
  return withHost('files', async ({ call }) => {
    await call('memory.forget', { agent, name });
    const back = `"kennel memory history ${agent} ${name}" can bring it back.`;
    show(flags.json === true, { agent, name, forgotten: true }, `Forgot the note "${name}". ${back}`);
    return exitOk;
  });
}

/** Throws unless the operator confirms these lines. */
async function mustAgree(lines: string, question: string): Promise<void> {
  process.stderr.write(`Written while untrusted content was in the conversation:\n${printable(lines)}\n`);
  if (!canAsk()) throw usageError('This needs your yes.', 'Add --yes once you have read the lines.');
  if (!(await askYes(question)))
    throw new CommandFailure({ code: 'cancelled', message: 'Nothing was changed.' });
}

const deletion = (name: string) => ({
  method: 'memory.dropUnconfirmed' as const,
  outcome: 'deleted',
  question: 'Delete these lines?',
  said: `Deleted these lines from "${name}".`,
});

const trust = (agent: string, name: string) => ({
  method: 'memory.confirm' as const,
  outcome: 'confirmed',
  question: `Trust these lines as instructions of ${agent}?`,
  said: `"${name}" is trusted now.`,
});

/**
 * Accepts the lines that wait for confirmation as part of the agent's instructions, or removes them with
 * `--delete`.
 */
async function runMemoryConfirm(
  args: readonly string[],
  flags: Flags & { delete?: boolean; yes?: boolean },
): Promise<number> {
  const [agent = '', name = ''] = args;
  const { method, outcome, question, said } = flags.delete ? deletion(name) : trust(agent, name);
  return withHost('files', async ({ call }) => {
    const { unconfirmed, versions } = await call('memory.read', { agent, name });
    if (unconfirmed === null) {
      show(
        flags.json === true,
        { agent, name, [outcome]: false },
        `Nothing in "${name}" waits for your yes.`,
      );
      return exitOk;
    }
    if (flags.yes !== true) await mustAgree(unconfirmed.text, question);
    await call(method, { agent, name, version: versions.at(-1)?.version ?? 0 });
    show(flags.json === true, { agent, name, [outcome]: true }, said);
    return exitOk;
  });
}

async function runMemoryHistory(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = '', name = ''] = args;
  return withHost('look', async ({ call }) => {
    const { versions } = await call('memory.read', { agent, name });
    const rows = versions.map(({ version, at, by, bytes, removed }): readonly TableCell[] => [
      String(version),
      utcMinute(at),
      by === 'agent' ? 'the agent' : 'you',
      removed ? { text: 'forgotten', tone: 'quiet' } : sizeOf(bytes),
    ]);
    show(flags.json === true, { agent, name, versions }, [
      columnsText(['VERSION', 'SAVED', 'BY', 'SIZE'], rows),
      `Go back with "kennel memory restore ${agent} ${name} VERSION".`,
    ]);
    return exitOk;
  });
}

async function runMemoryRestore(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = '', name = '', wanted = ''] = args;
  if (!/^\d{1,9}$/.test(wanted)) {
    throw usageError('Which version?', `"kennel memory history ${agent} ${name}" shows them.`);
  }
  const version = Number(wanted);
  return withHost('files', async ({ call }) => {
    await call('memory.restore', { agent, name, version });
    show(
      flags.json === true,
      { agent, name, version },
      `The note "${name}" is as in version ${version} again.`,
    );
    return exitOk;
  });
}

const list = defineCommand({
  verb: 'list',
  args: '<agent>',
  summary: 'List the notes of an agent',
  examples: [
    ['memory list guide', 'List all notes with size and date'],
    ['memory list guide --json', 'Print them as JSON'],
    ["memory list guide --json | jq -r '.notes[].name'", 'Print only their names'],
  ],
  run: runMemoryList,
});

const showNote = defineCommand({
  verb: 'show',
  args: '<agent> <note>',
  summary: 'Print a note',
  examples: [
    ['memory show guide people', 'Print the note "people"'],
    ['memory show guide people > people.md', 'Save it as a file'],
    ['memory show guide people --json', 'Print it as JSON'],
  ],
  run: runMemoryShow,
});

const edit = defineCommand({
  verb: 'edit',
  args: '<agent> <note>',
  summary: 'Change or create a note in your editor',
  options: [{ flags: '--file <file>', summary: 'take the text from this file; "-" reads standard input' }],
  examples: [
    ['memory edit guide people', 'Edit the note "people" in $EDITOR'],
    ['memory edit guide people --file people.md', 'Replace it with a file'],
    ['memory edit guide people --file - < people.md', 'Read the text from standard input'],
  ],
  run: runMemoryEdit,
});

const forget = defineCommand({
  verb: 'forget',
  args: '<agent> <note>',
  summary: 'Remove a note and keep its history',
  examples: [
    ['memory forget guide people', 'Remove the note "people"'],
    ['memory history guide people', 'See its versions afterwards'],
    ['memory restore guide people 3', 'Bring a version back'],
  ],
  run: runMemoryForget,
});

const confirm = defineCommand({
  verb: 'confirm',
  args: '<agent> <note>',
  summary: 'Trust lines that the agent wrote beside untrusted content',
  options: [
    { flags: '--delete', summary: 'delete these lines instead' },
    { flags: '--yes', summary: 'do not ask' },
  ],
  examples: [
    ['memory confirm guide people', 'Look at the lines, then trust them'],
    ['memory confirm guide people --delete', 'Delete the lines'],
    ['memory confirm guide people --yes', 'Trust them without a question'],
  ],
  run: runMemoryConfirm,
});

const history = defineCommand({
  verb: 'history',
  args: '<agent> <note>',
  summary: 'List the versions of a note',
  examples: [
    ['memory history guide people', 'List all versions'],
    ['memory history guide people --json', 'Print them as JSON'],
    ['memory restore guide people 3', 'Go back to version 3'],
  ],
  run: runMemoryHistory,
});

const restore = defineCommand({
  verb: 'restore',
  args: '<agent> <note> <version>',
  summary: 'Make an older version of a note the current one',
  examples: [
    ['memory history guide people', 'Find the version'],
    ['memory restore guide people 3', 'Restore version 3'],
    ['memory restore guide people 3 --json', 'Restore it and print JSON'],
  ],
  run: runMemoryRestore,
});

export const memoryCommands: readonly CommandSpec[] = [
  list,
  showNote,
  edit,
  forget,
  confirm,
  history,
  restore,
];
