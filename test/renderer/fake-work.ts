/** Tools, memory, usage, brakes, logins and tokens of the fake host, in memory. */
import { textError } from '../../src/contract/errors.ts';
import type { MethodName, MethodOutput } from '../../src/contract/methods.ts';
import type { HostView } from '../../src/contract/model.ts';
import { err, ok } from '../../src/contract/result.ts';
import type { Budget } from '../../src/contract/work.ts';
import type { FakeFeed } from './fake-feed.ts';
import type { Handler } from './fake-host.ts';
import { noUsage, providers, toolsView } from './work-data.ts';

interface Note {
  text: string;
  versions: { version: number; at: number; by: 'agent' | 'operator'; bytes: number; removed: boolean }[];
  texts: string[];
}

export class FakeWork {
  tools = toolsView();
  usage = noUsage();
  notes: Record<string, Note> = {};
  /** Unconfirmed lines, by the name of their note. */
  unconfirmed: Record<string, string> = {};
  providers = providers();
  tokens: { name: string; createdAt: number }[] = [];
  /** Tests end the login by setting this. */
  loggedIn = false;
  back: MethodOutput<'policy.test'> = { calls: 0, allowed: 0, asked: 0, denied: 0, changed: [] };
  private readonly feed: FakeFeed;

  constructor(feed: FakeFeed) {
    this.feed = feed;
  }

  /** Writes as the agent or the operator; `null` deletes the note. */
  write(name: string, text: string | null, by: 'agent' | 'operator'): void {
    const note = this.notes[name] ?? { text: '', versions: [], texts: [] };
    this.notes[name] = note;
    note.text = text ?? '';
    note.texts.push(text ?? '');
    note.versions.unshift({
      version: note.texts.length,
      at: Date.now(),
      by,
      bytes: (text ?? '').length,
      removed: text === null,
    });
  }

  table(): Partial<Record<MethodName, Handler>> {
    return { ...this.agentTable(), ...this.memoryTable(), ...this.loginTable() };
  }

  private agentTable(): Partial<Record<MethodName, Handler>> {
    return {
      'agents.stop': ({ agent }: { agent: string }) => {
        this.feed.patch('agents', { op: 'set', path: [agent, 'dot'], value: 'idle' });
        return ok({});
      },
      'agents.tools': () => ok(this.tools),
      'agents.setTools': ({ agent: _, ...change }: { agent: string }) => {
        this.tools = { ...this.tools, ...change };
        const { deny, alsoAllow } = this.tools.tools;
        this.tools.available = this.tools.available.map((tool) => {
          if (deny.includes(tool.name)) return { ...tool, offered: false, why: 'denied in its settings' };
          const on = alsoAllow.includes(tool.name) || tool.group !== 'shell';
          return { ...tool, offered: on, why: on ? '' : tool.why };
        });
        return ok({});
      },
      'agents.addFolder': ({ path, mayWrite }: { path: string; mayWrite: boolean }) => {
        if (!path.startsWith('/')) return err(textError('invalid_input', 'Enter the whole path.'));
        this.tools = {
          ...this.tools,
          folders: [...this.tools.folders, { path, mayWrite, isRemovable: true }],
        };
        return ok({});
      },
      'agents.removeFolder': ({ path }: { path: string }) => {
        const folders = this.tools.folders.filter((one) => one.path !== path);
        this.tools = { ...this.tools, folders };
        return ok({});
      },
      'policy.test': () => ok(this.back),
      'usage.get': () => ok(this.usage),
      'usage.setBudget': ({ budget }: { budget: Budget }) => {
        this.usage = { ...this.usage, budget };
        return ok({});
      },
      'brake.list': () => ok({ brakes: this.feed.read<HostView>('host').brakes }),
      'chat.answerAgain': () => ok({}),
      'brake.continue': () => {
        this.feed.patch('host', { op: 'set', path: ['brakes'], value: [] });
        return ok({});
      },
    };
  }

  private memoryTable(): Partial<Record<MethodName, Handler>> {
    return {
      'memory.list': () => ok({ notes: this.list(), promptBytes: 812 }),
      'memory.read': ({ name }: { name: string }) => {
        const note = this.notes[name];
        if (note === undefined) return err(textError('not_found', 'There is no such note.'));
        const unconfirmed = this.unconfirmed[name];
        const lines = unconfirmed ? { text: unconfirmed, at: 1, threadKey: '' } : null;
        return ok({ text: note.text, versions: note.versions, unconfirmed: lines });
      },
      'memory.write': ({ name, text }: { name: string; text: string }) => {
        this.write(name, text, 'operator');
        return ok({});
      },
      'memory.confirm': ({ name }: { name: string }) => {
        delete this.unconfirmed[name];
        return ok({});
      },
      'memory.dropUnconfirmed': ({ name }: { name: string }) => {
        this.write(
          name,
          (this.notes[name]?.text ?? '').replace(this.unconfirmed[name] ?? '', ''),
          'operator',
        );
        delete this.unconfirmed[name];
        return ok({});
      },
      'memory.forget': ({ name }: { name: string }) => {
        this.write(name, null, 'operator');
        return ok({});
      },
      'memory.restore': ({ name, version }: { name: string; version: number }) => {
        this.write(name, this.notes[name]?.texts[version - 1] ?? '', 'operator');
        return ok({});
      },
    };
  }

  private list() {
    return Object.entries(this.notes)
      .filter(([, note]) => note.versions[0]?.removed === false)
      .map(([name, note]) => ({
        name,
        bytes: note.text.length,
        updatedAt: note.versions[0]?.at ?? 0,
        confirmed: this.unconfirmed[name] === undefined,
      }));
  }

  private loginTable(): Partial<Record<MethodName, Handler>> {
    return {
      'auth.status': () => ok({ providers: this.providers }),
      'auth.login': () =>
        ok({
          loginId: 'login_1',
          url: 'https://login.example.org/device',
          userCode: 'WDJB-MJHT',
          expiresAt: Date.now() + 600_000,
        }),
      'auth.wait': async () => {
        await new Promise((done) => setTimeout(done, 100));
        if (!this.loggedIn) return ok({ done: false, status: null });
        this.setLogin('logged_in', 'ada@example.org');
        return ok({ done: true, status: this.providers[0] ?? null });
      },
      'auth.logout': () => {
        this.setLogin('none', '');
        return ok({ note: 'The token was taken back there, too.' });
      },
      'proxy.tokens': () => ok({ tokens: this.tokens }),
      'proxy.newToken': ({ name }: { name: string }) => {
        this.tokens = [...this.tokens, { name, createdAt: Date.now() }];
        return ok({ token: 'kp_5f2c9a71d0', url: 'http://127.0.0.1:43199/api/stream' });
      },
      'proxy.revoke': ({ name }: { name: string }) => {
        this.tokens = this.tokens.filter((one) => one.name !== name);
        return ok({});
      },
    };
  }

  private setLogin(state: 'logged_in' | 'none', account: string): void {
    this.providers = this.providers.map((one, index) => (index === 0 ? { ...one, state, account } : one));
  }
}
