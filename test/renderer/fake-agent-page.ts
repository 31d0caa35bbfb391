/** Backend of an agent's page in the fake host: earlier souls, files, model lists, archives. */
import type { WorkspaceEntry } from '../../src/contract/agent-detail-methods.ts';
import type { ImportReview, IncomingAgent } from '../../src/contract/bundles.ts';
import { textError } from '../../src/contract/errors.ts';
import type { MethodName, MethodOutput } from '../../src/contract/methods.ts';
import { err, ok } from '../../src/contract/result.ts';
import type { Handler } from './fake-host.ts';

/** A red pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

export const incoming = (change: Partial<IncomingAgent> = {}): IncomingAgent => ({
  id: 'scout',
  displayName: 'Scout',
  role: 'Scout: looks ahead',
  soul: 'You look **ahead**.',
  runtime: { kind: 'chat-local', provider: 'openai', model: 'gpt-4o', baseUrl: '' },
  tools: ['the usual ones'],
  triggers: ['mentions: yes'],
  permissions: ['writes /srv/site'],
  files: 12,
  bytes: 48_000,
  notes: 3,
  left: [],
  identity: { slug: 'scout-77aa', serverUrl: 'https://puffo.example.org', vouchedBy: 'other' },
  identityNote: '',
  apiKey: false,
  problem: '',
  ...change,
});

export class FakeAgentPage {
  readonly souls: { at: number; soul: string }[] = [];
  unsynced: MethodOutput<'agents.unsynced'> = { fields: [], since: null };
  files: Record<string, Buffer> = {
    'notes/plan.md': Buffer.from('# Plan\n\n- look\n- write'),
    'pixel.txt': tinyPng,
    'raw.bin': Buffer.from([1, 0, 2, 0]),
    '.puffo/inbox/msg_1/brief.txt': Buffer.from('Please read this.'),
  };
  models = ['gpt-4o', 'gpt-5-mini'];
  review: ImportReview = {
    kind: 'bundle',
    digest: 'd1',
    identities: [],
    providerKeys: [],
    agents: [incoming()],
  };
  /** Passphrase of the imported archive; empty if it is not locked. */
  passphrase = '';
  brought = Buffer.alloc(0);
  readonly forgotten: string[] = [];
  readonly packed = Buffer.from('PUFFO-AGENT-V1 a sealed agent');

  table(): Partial<Record<MethodName, Handler>> {
    return { ...this.pageTable(), ...this.transferTable() };
  }

  private pageTable(): Partial<Record<MethodName, Handler>> {
    return {
      'agents.soulHistory': () =>
        ok({
          versions: this.souls
            .map(({ at, soul }, index) => ({
              version: index + 1,
              at,
              characters: soul.length,
              current: index === this.souls.length - 1,
            }))
            .reverse(),
        }),
      'agents.soulVersion': ({ version }: { version: number }) =>
        ok({ soul: this.souls[version - 1]?.soul ?? '' }),
      'agents.unsynced': () => ok(this.unsynced),
      'agents.syncProfile': () => {
        this.unsynced = { fields: [], since: null };
        return ok({ warning: '' });
      },
      'models.list': () => ok({ models: this.models.map((id) => ({ id, name: '' })), at: Date.now() }),
      'agents.files': ({ path }: { path: string }) => this.list(path),
      'agents.file': ({ path, offset }: { path: string; offset: number }) => {
        const bytes = this.files[path];
        if (bytes === undefined) return err(textError('not_found', 'There is no such file.'));
        const rest = bytes.subarray(offset);
        return ok({ size: bytes.length, base64: rest.toString('base64'), done: true });
      },
    };
  }

  private list(path: string) {
    const below = path === '' ? '' : `${path}/`;
    const found = new Map<string, WorkspaceEntry>();
    for (const [name, bytes] of Object.entries(this.files)) {
      if (!name.startsWith(below)) continue;
      const [first = '', ...more] = name.slice(below.length).split('/');
      const folder = more.length > 0;
      found.set(first, {
        name: first,
        kind: folder ? 'folder' : 'file',
        size: folder ? 0 : bytes.length,
        modifiedAt: Date.now() - 90_000,
      });
    }
    if (found.size === 0 && path !== '') return err(textError('not_found', 'There is no such folder.'));
    return ok({ entries: [...found.values()], more: false });
  }

  private transferTable(): Partial<Record<MethodName, Handler>> {
    const locked = (passphrase?: string) =>
      this.passphrase === '' || this.passphrase === passphrase
        ? null
        : err(
            passphrase === undefined
              ? textError('locked', 'This bundle is encrypted.')
              : textError('unauthenticated', 'This passphrase does not open the bundle.'),
          );
    return {
      'bundles.pack': ({ agent, kind }: { agent: string; kind: string }) =>
        ok({
          transferId: 'tr_1',
          filename: `${agent}.${kind === 'zip' ? 'zip' : 'puffoagent'}`,
          size: this.packed.length,
          files: 9,
          left: ['workspace/.env'],
        }),
      'bundles.piece': ({ offset }: { offset: number }) =>
        ok({ base64: this.packed.subarray(offset).toString('base64'), done: true }),
      'bundles.bring': () => {
        this.brought = Buffer.alloc(0);
        return ok({ transferId: 'tr_2' });
      },
      'bundles.bringPiece': ({ base64 }: { base64: string }) => {
        this.brought = Buffer.concat([this.brought, Buffer.from(base64, 'base64')]);
        return ok({ received: this.brought.length });
      },
      'bundles.reviewBrought': ({ passphrase }: { passphrase?: string }) =>
        locked(passphrase) ?? ok(this.review),
      'bundles.importBrought': ({ as }: { as?: string }) =>
        ok({
          agents: this.review.agents.map(({ id }) => ({
            from: id,
            id: as ?? id,
            imported: true,
            registered: false,
            note: 'It is paused.',
          })),
          notes: [],
        }),
      'bundles.forget': ({ transferId }: { transferId: string }) => {
        this.forgotten.push(transferId);
        return ok({});
      },
    };
  }
}
