import { describe, expect, it } from 'vitest';
import type { AgentSummary, HostView } from '../contract/model.ts';
import { startingInput, type TrayInput, trayView } from './tray-view.ts';

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
  spentToday: { tokens: 0, usd: null, unpriced: 0, simulated: false },
  ...more,
});

const host = (state: HostView['state'] = 'ready', waiting = 0): HostView => ({
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
  waiting,
  spentToday: { tokens: 0, usd: null, unpriced: 0, simulated: false },
  brakes: [],
  problems: [],
  notifications: { sounds: true, quietHours: {}, quietApprovals: true },
});

const input = (change: Partial<TrayInput> = {}): TrayInput => ({
  link: 'up',
  otherPid: null,
  host: host(),
  agents: {},
  update: null,
  isLocked: false,
  ...change,
});

const byId = (...agents: AgentSummary[]) => Object.fromEntries(agents.map((one) => [one.id, one]));
const view = (...agents: AgentSummary[]) => trayView(input({ agents: byId(...agents) }));

describe('Tray view', () => {
  it.each([
    ['needs_you', ['idle', 'error', 'needs_you', 'working']],
    ['error', ['idle', 'error', 'working', 'offline']],
    ['working', ['idle', 'working', 'offline']],
    ['idle', ['idle', 'offline']],
    ['offline', ['offline', 'offline']],
    ['idle', []],
  ] as const)('has the icon %s for agents with the states %j', (icon, dots) => {
    expect(view(...dots.map((dot, index) => agent(`a${index}`, { dot }))).icon).toBe(icon);
  });

  it('counts agents by state and leaves out zeros', () => {
    expect(view().line).toBe('No agents yet');
    expect(view(agent('a')).line).toBe('1 agent');
    const three = byId(
      agent('a', { dot: 'working' }),
      agent('b', { dot: 'needs_you' }),
      agent('c', { dot: 'error' }),
    );
    expect(trayView(input({ agents: three, host: host('ready', 2) })).line).toBe(
      '3 agents, 1 working, 2 waiting for you, 1 failed',
    );
  });

  it.each([
    ['starting', 'Kennel is starting'],
    ['stopping', 'Kennel is stopping'],
    ['locked', 'Locked: open Kennel to enter your passphrase'],
  ] as const)('shows that the host is %s', (state, line) => {
    expect(trayView(input({ host: host(state) })).line).toBe(line);
  });

  it('lists each agent with its activity and the one fitting action', () => {
    const { agents } = view(
      agent('b', { displayName: 'Guide', dot: 'working', activity: 'answering in #general' }),
      agent('a', { displayName: 'Checker', life: 'paused' }),
      agent('c', { displayName: 'Zed', life: 'broken', dot: 'error' }),
    );
    expect(agents.map(({ label, verb }) => [label, verb])).toEqual([
      ['Zed: failed', null],
      ['Checker: paused', 'resume'],
      ['Guide: answering in #general', 'pause'],
    ]);
  });

  it('escapes an ampersand in a name and limits its length', () => {
    const [row] = view(agent('a', { displayName: `Q&A ${'x'.repeat(200)}` })).agents;
    expect(row?.label).toMatch(/^Q&&A x+…$/);
    expect([...(row?.label ?? '')].length).toBeLessThanOrEqual(61);
  });

  it('lists fifteen agents and moves the others to a submenu', () => {
    const shown = view(...Array.from({ length: 100 }, (_, index) => agent(`a${index}`)));
    expect(shown.agents).toHaveLength(15);
    expect(shown.more).toHaveLength(85);
  });

  it('lists agents that need the person first and keeps the order of the others', () => {
    const { agents } = view(agent('a'), agent('b', { dot: 'working' }), agent('z', { dot: 'needs_you' }));
    expect(agents.map(({ id }) => id)).toEqual(['z', 'a', 'b']);
  });

  it('shows the number of waiting questions, even if no agent shows one', () => {
    const shown = trayView(input({ host: host('ready', 3) }));
    expect(shown).toMatchObject({ icon: 'needs_you', waiting: '3 waiting for you' });
    expect(view().waiting).toBeNull();
  });

  it.each([
    ['failed', 'error', /did not start/],
    ['lost', 'offline', /Lost connection/],
    ['starting', 'offline', /starting/],
  ] as const)('shows the link state %s', (link, icon, line) => {
    const shown = trayView(input({ link, agents: byId(agent('a', { dot: 'working' })) }));
    expect(shown.icon).toBe(icon);
    expect(shown.line).toMatch(line);
    expect(shown).toMatchObject({
      pauseAll: false,
      newAgent: false,
      canAsk: false,
      hostHere: link === 'lost',
    });
    expect(shown.canLock).toBe(true);
  });

  it('names the host process if it is not this app', () => {
    expect(trayView(input({ otherPid: 4711 })).hosted).toBe('Hosted by process 4711');
    expect(view().hosted).toBeNull();
  });

  it('offers the quick ask only if an agent can be asked', () => {
    expect(view().canAsk).toBe(false);
    expect(view(agent('a')).canAsk).toBe(true);
    expect(trayView(input({ agents: byId(agent('a')), host: host('locked') })).canAsk).toBe(false);
  });

  it('enables pause all and resume all only if they change something', () => {
    expect(view(agent('a'))).toMatchObject({ pauseAll: true, resumeAll: false });
    expect(view(agent('a', { life: 'paused' }))).toMatchObject({ pauseAll: false, resumeAll: true });
  });
});

it('T8: A tray row is one line with invisible characters escaped', () => {
  const agents = { guide: agent('guide', { displayName: 'Gui\u202ede\nAllow', activity: 'write a\tb' }) };
  const view = trayView({ link: 'up', otherPid: null, host: host(), agents, update: null, isLocked: false });
  expect(view.agents[0]?.label).toContain('Gui[U+202E]de[U+000A]Allow');
  expect(view.agents[0]?.label).toContain('write a[U+0009]b');
});

it('A locked window leaves neither names nor counts in the tray', () => {
  const agents = byId(agent('guide', { displayName: 'Guide', waiting: 1 }));
  const view = trayView(input({ host: host('ready', 3), agents, update: '9.9', isLocked: true }));
  expect(view).toMatchObject({
    line: 'Kennel is locked',
    icon: 'idle',
    waiting: null,
    agents: [],
    spent: null,
    canLock: false,
  });
  expect(JSON.stringify(view)).not.toMatch(/Guide|3|9\.9/);
});

it('offers the lock once Kennel is set up', () => {
  expect(trayView(startingInput).canLock).toBe(false);
  expect(trayView(input({ host: { ...host(), firstRun: true } })).canLock).toBe(false);
  expect(trayView(input()).canLock).toBe(true);
});

it('says what was spent today, and marks simulated money', () => {
  const spent = (spentToday: HostView['spentToday']) =>
    trayView(input({ host: { ...host(), spentToday } })).spent;
  expect(spent({ tokens: 0, usd: null, unpriced: 0, simulated: false })).toBe(null);
  expect(spent({ tokens: 900, usd: 0.42, unpriced: 0, simulated: false })).toBe('Today: $0.42');
  expect(spent({ tokens: 900, usd: 0.42, unpriced: 0, simulated: true })).toBe('Today: $0.42 (simulated)');
  expect(spent({ tokens: 900, usd: null, unpriced: 1, simulated: false })).toBe('Today: 900 tokens');
});
