/**
 * Gives tasks to the Guide of a real Kennel, kills and restarts it, and checks the invariants of all tasks.
 */
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { AllowScope, Approval } from '../../src/contract/approvals.ts';
import type { AgentSummary, ChatMessage } from '../../src/contract/model.ts';
import type { Door } from './door.ts';
import { Conversation, checkAtRest, until } from './invariants.ts';
import { doorOf, type KennelProcess, kill, type Launch, startKennel } from './kennel-process.ts';
import { demoFolder, newFolder, removeFolder } from './places.ts';

const aboutFile = (approval: Approval, file: string): boolean => approval.argsJson.includes(`"${file}"`);

const unlocking = (passphrase: string): Record<string, string> =>
  passphrase === '' ? {} : { KENNEL_PASSPHRASE: passphrase };

export class Desk {
  readonly home: string;
  /** Empty: a demo, whose keys have the demo's protection. */
  readonly #passphrase: string;
  #kennel: KennelProcess | null = null;
  #door: Door | null = null;
  /** Decided states by approval id; they must not change. */
  readonly #decided = new Map<string, string>();
  #tokens = 0;

  constructor(home: string, passphrase = '') {
    this.home = home;
    this.#passphrase = passphrase;
  }

  /** Opens an unused demo. */
  static async open(passphrase = ''): Promise<Desk> {
    const launch = passphrase === '' ? null : { env: unlocking(passphrase) };
    return new Desk(await demoFolder(launch), passphrase);
  }

  /**
   * Copies the folder at rest. In another folder the approval of a waiting call is void, because its target
   * has moved.
   */
  copy(home = newFolder()): Desk {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    cpSync(this.home, home, { recursive: true });
    return new Desk(home, this.#passphrase);
  }

  get door(): Door {
    if (!this.#door) throw new Error('the host does not run');
    return this.#door;
  }

  get kennel(): KennelProcess {
    if (!this.#kennel) throw new Error('the host does not run');
    return this.#kennel;
  }

  async start(launch: Launch = {}): Promise<Door> {
    const env = { ...unlocking(this.#passphrase), ...launch.env };
    this.#kennel = startKennel(this.home, ['--demo', '--no-web'], { ...launch, env });
    this.#door = await doorOf(this.home, this.#kennel);
    return this.#door;
  }

  /** Uses a host that was started differently. */
  take(kennel: KennelProcess, door: Door): void {
    this.#kennel = kennel;
    this.#door = door;
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#kennel) await kill(this.#kennel, signal);
    this.#door?.close();
  }

  async restart(signal: NodeJS.Signals = 'SIGKILL'): Promise<Door> {
    await this.end(signal);
    return this.start();
  }

  async remove(): Promise<void> {
    await this.end();
    removeFolder(this.home);
  }

  workspace(file: string): string {
    return path.join(this.home, 'agents', 'guide', 'workspace', file);
  }

  /** `null` if the host ended before it acknowledged the message. */
  async say(text: string): Promise<string | null> {
    const sent = await this.door.tryCall('chat.send', { to: 'guide', text });
    if (sent.ok) return sent.value.messageId;
    expect(sent.error.code).toBe('unavailable');
    return null;
  }

  history(): Promise<readonly ChatMessage[]> {
    return new Conversation().history(this.door);
  }

  async answers(messageId: string): Promise<readonly ChatMessage[]> {
    return (await this.history()).filter(({ own, threadRootId }) => !own && threadRootId === messageId);
  }

  async guide(): Promise<AgentSummary> {
    const { agents } = await this.door.call('agents.list', {});
    const found = agents.find(({ id }) => id === 'guide');
    if (!found) throw new Error('there is no guide');
    return found;
  }

  idle(ms = 30_000): Promise<unknown> {
    return until('an idle guide', async () => (await this.guide()).dot === 'idle', ms);
  }

  async questions(file: string): Promise<readonly Approval[]> {
    const { approvals } = await this.door.call('approvals.list', { state: 'all', limit: 200 });
    return approvals.filter((approval) => aboutFile(approval, file));
  }

  /** Approves the waiting call on this file; true if the host accepted an answer. */
  async allow(file: string, scope: AllowScope = 'once'): Promise<boolean> {
    const listed = await this.door.tryCall('approvals.list', { state: 'waiting', limit: 200 });
    const waiting = listed.ok ? listed.value.approvals.find((one) => aboutFile(one, file)) : undefined;
    if (!waiting) return false;
    const { id, digest } = waiting;
    const answer = { type: 'allow', scope } as const;
    const decided = await this.door.tryCall('approvals.decide', { id, digest, answer, surface: 'terminal' });
    if (decided.ok) this.#decided.set(id, decided.value.approval.state);
    return decided.ok;
  }

  /**
   * Checks that recorded spending never decreases; waits, because a host that just started has not read it
   * yet.
   */
  async spent(): Promise<void> {
    this.#tokens = await until('what was spent before', async () => {
      const { spentToday } = await this.door.call('host.view', {});
      return spentToday.tokens >= this.#tokens && spentToday.tokens;
    });
  }

  /** Checks that `write FILE`, sent before the kill, is asked once, written once and answered once. */
  async writtenOnce(file: string, messageId: string, where: string): Promise<void> {
    const answers = await until(
      `an answer ${where}`,
      async () => {
        await this.allow(file);
        const found = await this.answers(messageId);
        return found.length > 0 && found;
      },
      60_000,
    );
    expect(answers, `I2: one answer ${where}`).toHaveLength(1);
    expect(answers[0]?.text, where).toContain(file);
    expect(await this.questions(file), `asked once ${where}`).toHaveLength(1);
    expect(existsSync(this.workspace(file)), `written ${where}`).toBe(true);
    expect(readFileSync(this.workspace(file), 'utf8').match(/^# note/gm), where).toHaveLength(1);
  }

  /** Final check: nothing is shown twice, decisions stand, and the audit log and all files are intact. */
  async holds(): Promise<void> {
    const messages = await this.history();
    expect(new Set(messages.map(({ id }) => id)).size, 'I2: shown twice').toBe(messages.length);
    const states = await this.#states();
    for (const [id, state] of this.#decided) expect(states.get(id), 'a decision stands').toBe(state);
    expect(await this.door.call('audit.verify', {})).toMatchObject({ ok: true, problem: '' });
    await this.spent();
    expect((await this.door.call('host.view', {})).problems).toEqual([]);
    await this.end('SIGTERM');
    await checkAtRest(this.home, this.#passphrase === '' ? {} : { passphrase: this.#passphrase });
  }

  /** States of all approvals by id. */
  async #states(): Promise<ReadonlyMap<string, Approval['state']>> {
    const states = new Map<string, Approval['state']>();
    for (let before: string | undefined; ; ) {
      const query = { state: 'all', limit: 200, ...(before ? { before } : {}) } as const;
      const { approvals, hasMore } = await this.door.call('approvals.list', query);
      for (const { id, state } of approvals) states.set(id, state);
      before = approvals.at(-1)?.id;
      if (!hasMore || before === undefined) return states;
    }
  }
}
