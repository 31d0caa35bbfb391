import { describe, expect, it } from 'vitest';
import type { AgentSummary, HostView } from '../contract/model.ts';
import { trayView } from './tray-view.ts';

const agent = (id: string, more: Partial<AgentSummary> = {}): AgentSummary => ({
  id,
  slug: null,
  displayName: id,
  avatarUrl: '',
  role: '',
  roleShort: '',
  dot: 'idle',
  life: 'running',
  connection: 'online',
  activity: '',
  since: 0,
  runtimeKind: 'chat-local',
  provider: 'scripted',
  model: 'scripted',
  scripted: true,
  messageCount: 0,
  lastEventAt: null,
  error: null,
  configError: null,
  restartAt: null,
  waiting: 0,
  spentToday: { tokens: 0, usd: null, simulated: false },
  ...more,
});

const host = (state: HostView['state'] = 'ready'): HostView => ({
  version: '0',
  pid: 1,
  home: '/h',
  startedAt: 0,
  state,
  firstRun: false,
  demo: false,
  vault: { kind: 'keychain', backend: '', note: '' },
  relay: { embedded: false, url: null },
  operator: null,
  agents: { total: 0, working: 0, needsYou: 0, error: 0 },
  waiting: 0,
  spentToday: { tokens: 0, usd: null, simulated: false },
  brakes: [],
  problems: [],
});

const view = (...agents: AgentSummary[]) =>
  trayView({ host: host(), agents: Object.fromEntries(agents.map((one) => [one.id, one])) });

describe('what the tray shows', () => {
  it.each([
    ['needs_you', ['idle', 'error', 'needs_you', 'working']],
    ['error', ['idle', 'error', 'working', 'offline']],
    ['working', ['idle', 'working', 'offline']],
    ['idle', ['idle', 'offline']],
    ['offline', ['offline', 'offline']],
    ['offline', []],
  ] as const)('shows %s for agents that are %j', (icon, dots) => {
    expect(view(...dots.map((dot, index) => agent(`a${index}`, { dot }))).icon).toBe(icon);
  });

  it('counts in words, leaving out what there is none of', () => {
    expect(view().line).toBe('No agents yet');
    expect(view(agent('a')).line).toBe('1 agent');
    expect(
      view(agent('a', { dot: 'working' }), agent('b', { dot: 'needs_you' }), agent('c', { dot: 'error' }))
        .line,
    ).toBe('3 agents, 1 working, 1 waiting for you, 1 failed');
  });

  it.each([
    ['starting', 'Kennel is starting'],
    ['stopping', 'Kennel is stopping'],
    ['locked', 'Locked: open Kennel to enter your passphrase'],
  ] as const)('says in words that the host is %s', (state, line) => {
    expect(trayView({ host: host(state), agents: {} }).line).toBe(line);
  });

  it('names each agent with what it is doing, and offers the one verb that fits', () => {
    const { agents } = view(
      agent('b', { displayName: 'Guide', dot: 'working', activity: 'answering in #general' }),
      agent('a', { displayName: 'Checker', life: 'paused' }),
      agent('c', { displayName: 'Zed', life: 'broken', dot: 'error' }),
    );
    expect(agents.map(({ label, verb }) => [label, verb])).toEqual([
      ['Checker: paused', 'resume'],
      ['Guide: answering in #general', 'pause'],
      ['Zed: failed', null],
    ]);
  });

  it('keeps a name from underlining letters or filling the screen', () => {
    const [row] = view(agent('a', { displayName: `Q&A ${'x'.repeat(200)}` })).agents;
    expect(row?.label).toMatch(/^Q&&A x+…$/);
    expect([...(row?.label ?? '')].length).toBeLessThanOrEqual(61);
  });

  it('lists fifteen agents and counts the others', () => {
    const shown = view(...Array.from({ length: 20 }, (_, index) => agent(`a${index}`)));
    expect(shown.agents).toHaveLength(15);
    expect(shown.more).toBe(5);
  });
});
