/**
 * One agent's notes: Markdown files that people may edit too, with the last 50 versions of each beside them.
 * It promises that no change by the agent loses text: the previous text is a version by then, even if a
 * person wrote it with an editor.
 */
import { join } from 'node:path';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type {
  MemoryNoteInfo,
  MemoryPort,
  MemoryVersion,
  UnconfirmedLines,
} from '../../core/agents/memory-port.ts';
import { appendedText, contentLines, type NoteSource } from '../../core/agents/note-lines.ts';
import { utf8 } from '../../core/lib/bytes.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import { changedAt, maxProfileBytes, signatureOf } from './agent-folder.ts';
import { createMemoryHistory, type MemoryHistory } from './memory-history.ts';
import { type NoteProvenance, openNoteProvenance, unknownOrigin } from './note-provenance.ts';
import { readNotes } from './read-notes.ts';

const maxNoteBytes = 64 * 1024;
const maxNotes = 200;
const namePattern = /^[\w-]{1,64}$/;

export interface AgentMemoryDeps {
  /** An absolute path; the folder need not exist yet. */
  readonly folder: string;
  readonly disk: DiskPort;
  readonly clock: Clock;
}

const badName = (name: string): AppError =>
  fail(
    'invalid_input',
    'agents.invalidNoteName',
    {},
    { help: 'agents.noteNameRules', where: name.slice(0, 100) },
  );

const isTrusted = (name: string): AppError =>
  fail('forbidden', 'agents.noteTrusted', { name }, { help: 'agents.untrustedAppendOnly' });

const alreadyThere = (line: string): AppError =>
  fail('conflict', 'agents.alreadyNoted', {}, { where: line.slice(0, 200) });

const noNote = (name: string): AppError => fail('not_found', 'agents.unknownNote', { name });

class AgentMemory implements MemoryPort {
  readonly #deps: AgentMemoryDeps;
  readonly #history: MemoryHistory;
  readonly #provenance: NoteProvenance;
  /** Signature of each note whose file equals its newest version. */
  readonly #known = new Map<string, string>();

  constructor(deps: AgentMemoryDeps) {
    this.#deps = deps;
    this.#history = createMemoryHistory(join(deps.folder, '.history'), deps.disk);
    this.#provenance = openNoteProvenance(deps.folder, deps.disk);
  }

  notes(): Result<readonly MemoryNoteInfo[]> {
    const names = this.#names();
    if (!names.ok) return names;
    const notes: MemoryNoteInfo[] = [];
    for (const name of names.value) {
      const text = this.#look(name);
      if (!text.ok) return text;
      if (text.value === null) continue;
      const { untrusted } = this.#provenance.split(text.value);
      const confirmed = untrusted === '';
      notes.push({ name, bytes: utf8(text.value).length, updatedAt: changedAt(this.#path(name)), confirmed });
    }
    return ok(notes);
  }

  read(name: string): Result<string> {
    const text = this.#checked(name);
    if (!text.ok) return text;
    return text.value === null ? err(noNote(name)) : ok(text.value);
  }

  unconfirmed(name: string): Result<UnconfirmedLines | null> {
    const text = this.read(name);
    if (!text.ok) return text;
    const { untrusted } = this.#provenance.split(text.value);
    if (untrusted === '') return ok(null);
    return ok({ text: untrusted, origin: this.#provenance.originOf(untrusted) ?? unknownOrigin });
  }

  confirm(name: string, version: number): Result<void> {
    const text = this.#asShown(name, version);
    return text.ok ? this.#provenance.trust(text.value, () => this.#texts(name)) : text;
  }

  dropUnconfirmed(name: string, version: number): Result<void> {
    const text = this.#asShown(name, version);
    if (!text.ok) return text;
    const { trusted, untrusted } = this.#provenance.split(text.value);
    if (untrusted === '') return ok(undefined);
    const rest = `${trusted.trimEnd()}\n`;
    return trusted.trim() === ''
      ? this.#change(name, null, 'operator')
      : this.#change(name, rest, 'operator');
  }

  /** Binds the operator's answer to the text that was shown. */
  #asShown(name: string, version: number): Result<string> {
    const text = this.read(name);
    if (!text.ok) return text;
    const versions = this.#history.all(name);
    if (!versions.ok || versions.value.at(-1)?.version === version) return versions.ok ? text : versions;
    return err(fail('conflict', 'agents.noteChanged', { name }, { help: 'agents.lookAgain' }));
  }

  /** The texts of all notes on disk except this one. */
  #texts(but: string | null): Result<readonly string[]> {
    const notes = readNotes(this.#deps.folder, this.#deps.disk);
    return notes.ok ? ok(notes.value.filter(({ name }) => name !== but).map(({ text }) => text)) : notes;
  }

  /** The texts of all notes and of every restorable version. */
  #allTexts(): Result<readonly string[]> {
    const texts = this.#texts(null);
    const old = this.#history.texts();
    if (!texts.ok) return texts;
    return old.ok ? ok([...texts.value, ...old.value]) : old;
  }

  /**
   * Untrusted content may add lines, and change notes without trusted lines; it can neither change nor
   * distrust trusted lines.
   */
  #distrust(name: string, before: string, text: string, source: NoteSource): Result<void> {
    const added = appendedText(before, text);
    if (added === null && this.#provenance.split(before).trusted.trim() !== '') return err(isTrusted(name));
    const notes = this.#texts(null);
    if (!notes.ok) return notes;
    const trusted = new Set(notes.value.flatMap((one) => contentLines(this.#provenance.split(one).trusted)));
    const known = contentLines(added ?? text).find((line) => trusted.has(line));
    if (known !== undefined) return err(alreadyThere(known));
    const origin = { ...source, at: this.#deps.clock.now() };
    return this.#provenance.distrust(added ?? text, origin, () => this.#allTexts());
  }

  write(name: string, text: string, by: MemoryVersion['by'], source: NoteSource | null = null): Result<void> {
    const before = this.#checked(name);
    if (!before.ok) return before;
    const bytes = utf8(text).length;
    if (bytes > maxNoteBytes) {
      return err(fail('too_large', 'agents.noteTooLarge', { bytes }, { help: 'agents.shortenOrSplitNote' }));
    }
    const names = before.value === null ? this.#names() : ok([]);
    if (!names.ok) return names;
    if (names.value.length >= maxNotes) {
      return err(
        fail('too_large', 'agents.tooManyNotes', { maxNotes }, { help: 'agents.forgetOrReuseNote' }),
      );
    }
    if (before.value === text) return ok(undefined);
    if (source) {
      const marked = this.#distrust(name, before.value ?? '', text, source);
      if (!marked.ok) return marked;
    }
    return this.#change(name, text, by);
  }

  foreign(): boolean {
    if (this.#provenance.isEmpty()) return false;
    const texts = this.#texts(null);
    return !texts.ok || texts.value.some((text) => this.#provenance.split(text).untrusted !== '');
  }

  forget(name: string, by: MemoryVersion['by'], source: NoteSource | null = null): Result<void> {
    const before = this.read(name);
    if (!before.ok) return before;
    if (source && this.#provenance.split(before.value).trusted.trim() !== '') return err(isTrusted(name));
    return this.#change(name, null, by);
  }

  history(name: string): Result<readonly MemoryVersion[]> {
    const text = this.#checked(name);
    if (!text.ok) return text;
    const versions = this.#history.all(name);
    if (versions.ok && versions.value.length === 0) return err(noNote(name));
    return versions;
  }

  restore(name: string, version: number, by: MemoryVersion['by']): Result<void> {
    const now = this.#checked(name);
    if (!now.ok) return now;
    const found = this.#history.text(name, version);
    if (!found.ok) return found;
    if (found.value === null) {
      return err(
        fail('invalid_input', 'agents.noteForgotten', { version }, { help: 'agents.restorePreviousVersion' }),
      );
    }
    return this.write(name, found.value, by);
  }

  #path(name: string): string {
    return join(this.#deps.folder, `${name}.md`);
  }

  #names(): Result<readonly string[]> {
    const files = this.#deps.disk.files(this.#deps.folder);
    if (!files.ok) return files;
    return ok(
      files.value
        .filter((file) => file.endsWith('.md'))
        .map((file) => file.slice(0, -'.md'.length))
        .filter((name) => namePattern.test(name) && name !== 'README'),
    );
  }

  #checked(name: string): Result<string | null> {
    return namePattern.test(name) && name !== 'README' ? this.#look(name) : err(badName(name));
  }

  /** The text on disk. A change by a person since the last version becomes a version. */
  #look(name: string): Result<string | null> {
    const path = this.#path(name);
    const signature = signatureOf(path);
    const text = this.#deps.disk.readText(path, maxProfileBytes);
    if (!text.ok || this.#known.get(name) === signature) return text;
    const last = this.#history.last(name);
    if (!last.ok) return last;
    const noticed = (last.value?.text ?? null) !== text.value;
    if (noticed) {
      const at = text.value === null ? this.#deps.clock.now() : changedAt(path);
      const kept = this.#history.add(name, { at, by: 'operator', text: text.value });
      if (!kept.ok) return kept;
    }
    this.#known.set(name, signature);
    return text;
  }

  /** Stores the version first, so that a crash in between keeps both texts. */
  #change(name: string, text: string | null, by: MemoryVersion['by']): Result<void> {
    const kept = this.#history.add(name, { at: this.#deps.clock.now(), by, text });
    if (!kept.ok) return kept;
    const path = this.#path(name);
    const done = text === null ? this.#deps.disk.remove(path) : this.#deps.disk.write(path, text);
    if (done.ok) this.#known.set(name, signatureOf(path));
    return done;
  }
}

export function createAgentMemory(deps: AgentMemoryDeps): MemoryPort {
  return new AgentMemory(deps);
}
