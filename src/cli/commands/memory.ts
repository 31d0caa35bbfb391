import { readFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { editText } from '../editor.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type TableCell } from '../table.ts';
import { askYes, canAsk, commandFailure, exitOk, show } from '../terminal.ts';
import { printable } from '../visible-text.ts';
import { shownMinute } from '../when.ts';

interface Flags {
  readonly json?: boolean;
}

const sizeOf = (bytes: number): string => copy('cliValues.bytes', { bytes });

async function runMemoryList(args: readonly string[], flags: Flags): Promise<number> {
  const agent = args[0] ?? '';
  return withHost('look', async ({ call }) => {
    const listed = await call('memory.list', { agent });
    const rows = listed.notes.map(({ name, bytes, updatedAt, confirmed }): readonly TableCell[] => [
      name,
      confirmed
        ? { text: copy('cliMemory.trusted'), tone: 'good' }
        : { text: copy('cliMemory.notConfirmed'), tone: 'attention' },
      shownMinute(updatedAt),
      sizeOf(bytes),
    ]);
    const heads = [
      copy('cliHeads.note'),
      copy('cliHeads.state'),
      copy('cliHeads.changed'),
      copy('cliHeads.size'),
    ];
    const waiting = listed.notes.find(({ confirmed }) => !confirmed);
    const hint = waiting ? [copy('cliMemory.lookAtLines', { agent, name: waiting.name })] : [];
    const text =
      rows.length === 0
        ? copy('cliMemory.noNotes', { agent })
        : [
            columnsText(heads, rows),
            copy('cliMemory.inPrompt', { size: sizeOf(listed.promptBytes) }),
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
      throw commandFailure(
        'not_found',
        'cliMemory.forgotten',
        { agent, name },
        { help: 'cliMemory.showsHeld' },
      );
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
    throw commandFailure('invalid_input', 'cliTerminal.fileUnreadable', { file });
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
      show(flags.json === true, { agent, name, changed: false }, copy('cliTerminal.nothingChanged'));
      return exitOk;
    }
    await call('memory.write', { agent, name, text });
    show(flags.json === true, { agent, name, changed: true }, copy('cliMemory.saved', { agent, name }));
    return exitOk;
  });
}

async function runMemoryForget(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = '', name = ''] = args;
  return withHost('files', async ({ call }) => {
    await call('memory.forget', { agent, name });
    show(flags.json === true, { agent, name, forgotten: true }, copy('cliMemory.forgot', { agent, name }));
    return exitOk;
  });
}

/** Throws unless the operator confirms these lines. */
async function mustAgree(lines: string, question: string): Promise<void> {
  process.stderr.write(`${copy('cliMemory.writtenBeside')}\n${printable(lines)}\n`);
  if (!canAsk())
    throw commandFailure('invalid_input', 'cliMemory.needsYes', {}, { help: 'cliMemory.readThenYes' });
  if (!(await askYes(question))) throw commandFailure('cancelled', 'cliTerminal.nothingChanged');
}

const deletion = (name: string) => ({
  method: 'memory.dropUnconfirmed' as const,
  outcome: 'deleted',
  question: copy('cliMemory.deleteLines'),
  said: copy('cliMemory.linesDeleted', { name }),
});

const trust = (agent: string, name: string) => ({
  method: 'memory.confirm' as const,
  outcome: 'confirmed',
  question: copy('cliMemory.trustLines', { agent }),
  said: copy('cliMemory.trustedNow', { name }),
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
      show(flags.json === true, { agent, name, [outcome]: false }, copy('cliMemory.nothingWaits', { name }));
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
      shownMinute(at),
      copy(by === 'agent' ? 'cliMemory.byAgent' : 'cliMemory.byYou'),
      removed ? { text: copy('cliMemory.isForgotten'), tone: 'quiet' } : sizeOf(bytes),
    ]);
    show(flags.json === true, { agent, name, versions }, [
      columnsText(
        [copy('cliHeads.version'), copy('cliHeads.saved'), copy('cliHeads.by'), copy('cliHeads.size')],
        rows,
      ),
      copy('cliMemory.goBack', { agent, name }),
    ]);
    return exitOk;
  });
}

async function runMemoryRestore(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = '', name = '', wanted = ''] = args;
  if (!/^\d{1,9}$/.test(wanted)) {
    throw commandFailure(
      'invalid_input',
      'cliMemory.whichVersion',
      { agent, name },
      { help: 'cliMemory.showsThem' },
    );
  }
  const version = Number(wanted);
  return withHost('files', async ({ call }) => {
    await call('memory.restore', { agent, name, version });
    show(flags.json === true, { agent, name, version }, copy('cliMemory.restored', { name, version }));
    return exitOk;
  });
}

const list = defineCommand({
  verb: 'list',
  args: '<agent>',
  examples: [
    'memory list guide',
    'memory list guide --json',
    "memory list guide --json | jq -r '.notes[].name'",
  ],
  run: runMemoryList,
});

const showNote = defineCommand({
  verb: 'show',
  args: '<agent> <note>',
  examples: [
    'memory show guide people',
    'memory show guide people > people.md',
    'memory show guide people --json',
  ],
  run: runMemoryShow,
});

const edit = defineCommand({
  verb: 'edit',
  args: '<agent> <note>',
  options: [{ flags: '--file <file>' }],
  examples: [
    'memory edit guide people',
    'memory edit guide people --file people.md',
    'memory edit guide people --file - < people.md',
  ],
  run: runMemoryEdit,
});

const forget = defineCommand({
  verb: 'forget',
  args: '<agent> <note>',
  examples: ['memory forget guide people', 'memory history guide people', 'memory restore guide people 3'],
  run: runMemoryForget,
});

const confirm = defineCommand({
  verb: 'confirm',
  args: '<agent> <note>',
  options: [{ flags: '--delete' }, { flags: '--yes' }],
  examples: [
    'memory confirm guide people',
    'memory confirm guide people --delete',
    'memory confirm guide people --yes',
  ],
  run: runMemoryConfirm,
});

const history = defineCommand({
  verb: 'history',
  args: '<agent> <note>',
  examples: [
    'memory history guide people',
    'memory history guide people --json',
    'memory restore guide people 3',
  ],
  run: runMemoryHistory,
});

const restore = defineCommand({
  verb: 'restore',
  args: '<agent> <note> <version>',
  examples: [
    'memory history guide people',
    'memory restore guide people 3',
    'memory restore guide people 3 --json',
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
