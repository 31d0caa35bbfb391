import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { editFile } from '../editor.ts';
import { withHost } from '../session.ts';
import { askInTerminal, CommandFailure, canAsk, exitOk, show, usage } from '../terminal.ts';
import { printable } from '../visible-text.ts';

interface Flags {
  readonly json?: boolean;
}

const when = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

const sizeOf = (bytes: number): string => (bytes === 1 ? '1 byte' : `${bytes.toLocaleString('en')} bytes`);

export async function runMemoryList(args: readonly string[], flags: Flags): Promise<number> {
  const agent = args[0] ?? '';
  return withHost('look', async ({ call }) => {
    const listed = await call('memory.list', { agent });
    const width = Math.max(0, ...listed.notes.map(({ name }) => name.length));
    const lines = listed.notes.map(
      ({ name, bytes, updatedAt, confirmed }) =>
        `${name.padEnd(width)}  ${when(updatedAt)}  ${sizeOf(bytes)}${confirmed ? '' : '  not confirmed'}`,
    );
    const waiting = listed.notes.find(({ confirmed }) => !confirmed);
    const hint = waiting
      ? `\nSee what waits for your yes: "kennel memory confirm ${agent} ${waiting.name}".`
      : '';
    const text =
      lines.length === 0
        ? `${agent} has no notes yet.`
        : `${lines.join('\n')}\n${sizeOf(listed.promptBytes)} of notes go into its prompt.${hint}`;
    show(flags.json === true, listed, text);
    return exitOk;
  });
}

export async function runMemoryShow(args: readonly string[], flags: Flags): Promise<number> {
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

function inEditor(name: string, before: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-note-'));
  try {
    const copy = join(folder, `${name}.md`);
    writeFileSync(copy, before, { mode: 0o600 });
    return editFile(copy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function newText(name: string, file: string | undefined, before: string): Promise<string> {
  if (file === '-') return readAll(process.stdin);
  if (file === undefined) return inEditor(name, before);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw usage(`The file ${file} cannot be read.`);
  }
}

/** A missing note is created. */
export async function runMemoryEdit(
  args: readonly string[],
  flags: Flags & { file?: string },
): Promise<number> {
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

export async function runMemoryForget(args: readonly string[], flags: Flags): Promise<number> {
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
  if (!canAsk()) throw usage('This needs your yes.', 'Add --yes once you have read the lines.');
  const answer = (await askInTerminal(`${question} [y/N] `)).trim().toLowerCase();
  if (answer !== 'y') throw new CommandFailure({ code: 'cancelled', message: 'Nothing was changed.' });
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
export async function runMemoryConfirm(
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

export async function runMemoryHistory(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = '', name = ''] = args;
  return withHost('look', async ({ call }) => {
    const { versions } = await call('memory.read', { agent, name });
    const lines = versions.map(
      ({ version, at, by, bytes, removed }) =>
        `${String(version).padStart(4)}  ${when(at)}  ${by === 'agent' ? 'the agent' : 'you      '}  ${removed ? 'forgotten' : sizeOf(bytes)}`,
    );
    show(
      flags.json === true,
      { agent, name, versions },
      `${lines.join('\n')}\nGo back with "kennel memory restore ${agent} ${name} VERSION".`,
    );
    return exitOk;
  });
}

export async function runMemoryRestore(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = '', name = '', wanted = ''] = args;
  if (!/^\d{1,9}$/.test(wanted)) {
    throw usage('Which version?', `"kennel memory history ${agent} ${name}" shows them.`);
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
