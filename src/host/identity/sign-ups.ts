import { z } from 'zod';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { DraftJournal, EnrolmentDraft } from '../../services/puffo/registration-draft.ts';
import type { Problems } from '../problems.ts';
import type { NewOperator } from './new-operator.ts';
import type { OpenParts } from './operator.ts';
import { type SealedFile, sealedFile } from './sealed-file.ts';

const requestSchema = z.object({
  serverUrl: z.string(),
  inviteCode: z.string(),
  username: z.string(),
  displayName: z.string(),
});
type SignUpInput = z.infer<typeof requestSchema>;

/** `draft` contains the keys and, once the server has assigned the name, its binding. */
const noteSchema = z.object({ request: requestSchema, draft: z.string().nullable() });
type Note = z.infer<typeof noteSchema>;

interface Unfinished {
  readonly username: string;
  readonly serverUrl: string;
  readonly note: HostText;
}

interface Place {
  readonly parts: OpenParts;
  readonly file: SealedFile;
  readonly note: Note | null;
}

type Joined = Promise<Result<{ readonly slug: string }>>;

const problemId = 'sign-up';

const already = (slug: string): AppError =>
  fail('conflict', 'identity.alreadySignedUp', { slug }, { help: 'identity.removeDemoFirst' });

const resumeHint = say('identity.resumeOrDrop');

const halfWay = ({ request }: Note): AppError =>
  fail(
    'conflict',
    'identity.signUpHalfDone',
    { name: request.username, server: request.serverUrl },
    { help: 'identity.resumeOrDrop' },
  );

function readNote(file: SealedFile): Result<Note | null> {
  const text = file.read();
  if (!text.ok || text.value === null) return text as Result<null>;
  try {
    return ok(noteSchema.parse(JSON.parse(text.value)));
  } catch {
    return err(fail('corrupt', 'identity.signUpNoteDamaged'));
  }
}

/** Loaded on demand to keep startup fast. */
async function draftOf(note: Note | null): Promise<EnrolmentDraft | null> {
  if (!note?.draft) return null;
  const { readEnrolmentDraft } = await import('../../services/puffo/registration-draft.ts');
  return readEnrolmentDraft(note.draft);
}

export interface SignUpDeps {
  readonly newOperator: NewOperator;
  readonly disk: DiskPort;
  /** Path of the unfinished sign-up. */
  readonly draftFile: string;
  readonly problems: Problems;
  readonly clock: Clock;
}

/** Signs the operator up; a crash between any two steps loses neither keys nor invite code. */
export class SignUps {
  readonly #deps: SignUpDeps;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: SignUpDeps) {
    this.#deps = deps;
  }

  join(input: SignUpInput): Joined {
    return this.#oneByOne(async () => {
      const place = await this.#open(true);
      if (!place.ok) return place;
      const { file, note } = place.value;
      const draft = await draftOf(note);
      const { serverUrl, username } = note?.request ?? input;
      const same = serverUrl === input.serverUrl && username === input.username;
      if (note && draft?.named && !same) return err(halfWay(note));
      const kept = { request: input, draft: note?.draft ?? null };
      const saved = file.write(JSON.stringify(kept));
      return saved.ok ? this.#run(place.value, kept) : saved;
    });
  }

  resume(): Joined {
    return this.#oneByOne(async () => {
      const place = await this.#open(true);
      if (!place.ok) return place;
      const { note } = place.value;
      return note ? this.#run(place.value, note) : err(fail('not_found', 'identity.noSignUpToResume'));
    });
  }

  drop(): Promise<Result<void>> {
    return this.#oneByOne(async () => {
      const { disk, draftFile, problems } = this.#deps;
      const removed = disk.remove(draftFile);
      if (removed.ok) problems.clear(problemId);
      return removed;
    });
  }

  async unfinished(): Promise<Result<Unfinished | null>> {
    const half = await this.#half();
    if (!half.ok || half.value === null) return half;
    const { username, serverUrl, note } = half.value;
    return ok({ username, serverUrl, note });
  }

  /** Resumes an interrupted sign-up if the server has assigned the name; otherwise reports it to the user. */
  async begin(): Promise<void> {
    const { newOperator, disk, draftFile, problems } = this.#deps;
    const present = newOperator.present();
    if (present.ok && present.value !== null) return void disk.remove(draftFile);
    const half = await this.#half();
    if (!half.ok || half.value === null) return;
    const { username, serverUrl, note, named } = half.value;
    problems.set(problemId, 'warning', {
      message: say('identity.signUpInterrupted', { name: username, server: serverUrl, note }),
      hint: resumeHint,
    });
    if (named) await this.resume();
  }

  #oneByOne<T>(run: () => Promise<T>): Promise<T> {
    const next = this.#last.then(run, run);
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #open(createsVault: boolean): Promise<Result<Place>> {
    const { newOperator, disk, draftFile } = this.#deps;
    const present = newOperator.present();
    if (!present.ok) return present;
    if (present.value !== null) return err(already(present.value));
    const parts = await newOperator.openVault(createsVault);
    if (!parts.ok) return parts;
    const file = sealedFile(disk, parts.value.keys, draftFile, 'identity/sign-up');
    const note = readNote(file);
    return note.ok ? ok({ parts: parts.value, file, note: note.value }) : note;
  }

  async #half(): Promise<Result<(Unfinished & { readonly named: boolean }) | null>> {
    const { newOperator } = this.#deps;
    const present = newOperator.present();
    if (!present.ok) return present;
    if (present.value !== null || newOperator.vaultState() !== 'open') return ok(null);
    const place = await this.#open(false);
    if (!place.ok) return place;
    const { note } = place.value;
    if (note === null) return ok(null);
    const { username, serverUrl } = note.request;
    const named = (await draftOf(note))?.named != null;
    const next = named ? say('identity.serverKnowsYou') : say('identity.serverDidNotAnswer');
    return ok({ username, serverUrl, note: next, named });
  }

  async #run({ parts, file }: Place, { request, draft }: Note): Joined {
    const { newOperator, problems, clock } = this.#deps;
    const { draftText } = await import('../../services/puffo/registration-draft.ts');
    let current = await draftOf({ request, draft });
    const journal: DraftJournal = {
      read: () => ok(current),
      write(next) {
        current = next;
        return file.write(JSON.stringify({ request, draft: draftText(next) }));
      },
    };
    const { signUp } = await import('../../services/puffo/registration.ts');
    const { crypto } = parts;
    const identity = await signUp({ ...request, journal, crypto, clock });
    if (!identity.ok) {
      // Rejected before the server assigned a name, so the note is not needed any more.
      const unheard = identity.error.code === 'unavailable' || identity.error.code === 'timeout';
      if (!unheard && current?.named == null) file.remove();
      return identity;
    }
    const adopted = await newOperator.adopt(parts, identity.value, request.displayName);
    if (!adopted.ok) return adopted;
    file.remove();
    problems.clear(problemId);
    return ok({ slug: identity.value.slug });
  }
}
