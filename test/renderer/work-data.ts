/** Sample tools, usage and logins of the host. */

import type { AuditLine } from '../../src/contract/approvals.ts';
import type { MethodOutput } from '../../src/contract/methods.ts';
import type { AuthStatus, UsageView } from '../../src/contract/work.ts';
import { now } from './fake-data.ts';

const tool = (name: string, group: string, description: string, offered = true, why = '') => ({
  name,
  group,
  description,
  offered,
  why,
});

export const toolsView = (): MethodOutput<'agents.tools'> => ({
  tools: { allow: [], alsoAllow: [], deny: [] },
  mode: 'ask',
  rules: [],
  version: 'v1',
  arrival: 'steer',
  canSteer: true,
  thinking: 'off',
  available: [
    tool('read_file', 'files', 'Reads a file below its folders.'),
    tool('write_file', 'files', 'Writes a file below its folders.'),
    tool('edit_file', 'files', 'Changes a part of a file.'),
    tool('bash_exec', 'core', 'Runs one simple command: ls, cat, grep and the like.'),
    tool('send_message', 'puffo', 'Writes into a room it is a member of.'),
    tool('memory_append', 'memory', 'Adds a line to one of its notes.'),
    tool('shell', 'shell', 'A full shell inside a sandbox.', false, 'only for trusted agents: allow it here'),
  ],
  roots: {
    readable: ['/home/ada/projects/site'],
    writable: ['/home/ada/.kennel/agents/guide/workspace'],
  },
  folders: [
    { path: '/home/ada/.kennel/agents/guide/workspace', mayWrite: true, isRemovable: false },
    { path: '/home/ada/projects/site', mayWrite: false, isRemovable: true },
  ],
});

const nothing = { tokens: 0, usd: 0, unpriced: 0, simulated: false };

export const noUsage = (): UsageView => ({
  days: [],
  byModel: [],
  byThread: [],
  today: nothing,
  month: nothing,
  budget: { tokensPerDay: null, tokensPerMonth: null, usdPerDay: null, usdPerMonth: null },
  used: [],
});

/** Thirty days with a quiet weekend, one model without a known price, one that is simulated. */
export const busyUsage = (): UsageView => ({
  days: Array.from({ length: 30 }, (_, index) => {
    const at = new Date(now - (29 - index) * 86_400_000);
    const busy = at.getDay() === 0 ? 0 : 4000 + ((index * 7919) % 9000);
    return {
      day: at.toISOString().slice(0, 10),
      calls: Math.round(busy / 900),
      input: busy,
      output: Math.round(busy / 5),
      cacheRead: Math.round(busy / 3),
      cacheWrite: 0,
      ...(index === 12 ? { usd: null, unpriced: busy } : { usd: busy * 0.000009, unpriced: 0 }),
      simulated: index > 25,
    };
  }),
  byModel: [
    {
      provider: 'openai',
      model: 'gpt-5-mini',
      calls: 210,
      spend: { tokens: 181_000, usd: 1.27, unpriced: 0, simulated: false },
    },
    {
      provider: 'ollama',
      model: 'qwen3:8b',
      calls: 31,
      spend: { tokens: 40_100, usd: null, unpriced: 40_100, simulated: false },
    },
    {
      provider: 'scripted',
      model: 'scripted-helper',
      calls: 12,
      spend: { tokens: 2400, usd: 0.02, unpriced: 0, simulated: true },
    },
  ],
  byThread: [],
  today: { tokens: 12_400, usd: 0.084, unpriced: 0, simulated: true },
  month: { tokens: 223_500, usd: 1.27, unpriced: 40_100, simulated: false },
  budget: { tokensPerDay: 15_000, tokensPerMonth: null, usdPerDay: null, usdPerMonth: 2 },
  used: [
    { limit: 'tokensPerDay', scope: 'own', simulated: false, max: 15_000, share: 0.83 },
    { limit: 'usdPerMonth', scope: 'own', simulated: false, max: 2, share: 0.64 },
  ],
});

export const providers = (): AuthStatus[] => [
  {
    provider: 'openrouter',
    name: 'OpenRouter',
    kinds: ['api_key', 'login'],
    state: 'none',
    account: '',
    expiresAt: null,
  },
  {
    provider: 'anthropic',
    name: 'Anthropic',
    kinds: ['api_key'],
    state: 'environment',
    account: '',
    expiresAt: null,
  },
  { provider: 'google', name: 'Google', kinds: ['api_key'], state: 'none', account: '', expiresAt: null },
];

export const auditLines = (): AuditLine[] =>
  (['call', 'decision', 'grant', 'brake', 'start'] as const).map((kind, index) => ({
    seq: 1204 - index,
    at: now - index * 240_000,
    kind,
    agentId: kind === 'start' ? '' : 'guide',
    tool: kind === 'call' || kind === 'decision' ? 'write_file' : '',
    digest: 'a1b2',
    outcome: kind === 'decision' ? 'allowed once' : 'ok',
    detail: '',
    prev: '00',
    hash: '01',
  }));
