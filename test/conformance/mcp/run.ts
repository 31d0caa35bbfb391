/**
 * Runs the official MCP conformance suite. `server`: the scenarios that apply to an agent's tools, against the
 * tools of a real agent, and against the suite's sample tools on the same endpoint. `client REVISION`: all client
 * scenarios that the revision requires, against Kennel's connector.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createSystemClock } from '../../../src/services/clock/system-clock.ts';
import { openMcpHttp } from '../../../src/services/mcp/mcp-http.ts';
import { createRecordingLog } from '../../fakes/recording-log.ts';
import { newHome, startHost } from '../../host/host-rig.ts';
import { passThrough } from './pass-through.ts';
import { hurried, sampleTools } from './sample-tools.ts';

/** Downloaded for each run and not part of the lock file, because it has some hundred dependencies. */
const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

/** Protocol revisions: the last with sessions, and the first without. */
const revisions = ['2025-11-25', '2026-07-28'] as const;
type Revision = (typeof revisions)[number];
type Scenarios = Readonly<Record<Revision, readonly string[]>>;

const always = ['tools-list', 'dns-rebinding-protection'];
const ofAgent: Scenarios = {
  '2025-11-25': ['server-initialize', 'server-session-lifecycle', 'ping', ...always],
  '2026-07-28': ['http-header-validation', ...always],
};
const calls = [
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
  'server-sse-multiple-streams',
];
const ofSamples: Scenarios = { '2025-11-25': calls, '2026-07-28': calls };

type Say = (line: string) => void;

interface Asked {
  readonly url: string;
  readonly revision: Revision;
  readonly scenario: string;
}

interface SuiteOutcome {
  readonly code: number | null;
  readonly text: string;
}

function runSuite(args: readonly string[]): Promise<SuiteOutcome> {
  return new Promise((resolve) => {
    const child = spawn('npx', ['--yes', suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const heard: Buffer[] = [];
    const text = (): string => Buffer.concat(heard).toString('utf8');
    child.stdout.on('data', (piece: Buffer) => heard.push(piece));
    child.stderr.on('data', (piece: Buffer) => heard.push(piece));
    child.on('error', (error) => resolve({ code: null, text: `${text()}${error}` }));
    child.on('close', (code) => resolve({ code, text: text() }));
  });
}

async function runScenario(which: readonly string[], asked: Omit<Asked, 'url'>, say: Say): Promise<boolean> {
  const { revision, scenario } = asked;
  const { code, text } = await runSuite([...which, '--scenario', scenario, '--spec-version', revision]);
  say(`${code === 0 ? 'passed' : 'FAILED'}  ${revision}  ${scenario}`);
  if (code !== 0) say(text);
  return code === 0;
}

interface Tally {
  readonly passed: number;
  readonly wanted: number;
}

async function runAll(url: string, { of, only, say }: Run): Promise<Tally> {
  const all = revisions.flatMap((revision) => of[revision].map((scenario) => ({ url, revision, scenario })));
  const asked = all.filter(({ scenario }) => only.length === 0 || only.includes(scenario));
  let passed = 0;
  for (const one of asked) passed += (await runScenario(['server', '--url', one.url], one, say)) ? 1 : 0;
  return { passed, wanted: asked.length };
}

interface Run {
  readonly of: Scenarios;
  readonly only: readonly string[];
  readonly say: Say;
}

async function againstAgent(run: Run): Promise<Tally> {
  const folder = newHome();
  const kennel = await startHost(folder.home);
  try {
    await kennel.call('setup.tryDemo', {});
    const { url, token } = await kennel.call('agents.mcpAccess', { agent: 'guide', http: true });
    const through = await passThrough(url, token);
    const tally = await runAll(through.url, run);
    await through.close();
    return tally;
  } finally {
    await kennel.stop();
    folder.remove();
  }
}

async function againstSamples(run: Run): Promise<Tally> {
  const clock = hurried(createSystemClock(), 300);
  const door = await openMcpHttp({
    agentOf: (authorization) => (authorization === 'Bearer sample' ? 'sample' : null),
    toolsOf: () => sampleTools(clock, 150_000),
    version: '1',
    clock,
    log: createRecordingLog(),
  });
  if (!door.ok) throw new Error(door.error.message);
  const through = await passThrough(door.value.url, 'sample');
  const tally = await runAll(through.url, run);
  await through.close();
  await door.value.close();
  return tally;
}

/** Names of the client scenarios that the suite lists as required. */
async function requiredOfClients(revision: Revision): Promise<readonly string[]> {
  const { code, text } = await runSuite(['list', '--requirements', revision]);
  const section = /^Client scenarios[^\n]*\n((?: +- \S+\n)+)/m.exec(text)?.[1];
  if (code !== 0 || section === undefined) throw new Error(`The suite lists no client scenarios:\n${text}`);
  return section
    .trim()
    .split(/\n? +- |^- /)
    .filter((name) => name !== '');
}

async function runClient(revision: Revision, only: readonly string[], say: Say): Promise<number> {
  const adapter = path.join(import.meta.dirname, 'client-adapter.ts');
  const required = await requiredOfClients(revision);
  const asked = only.length === 0 ? required : only;
  let passed = 0;
  for (const scenario of asked) {
    const which = ['client', '--command', `${process.execPath} ${adapter}`];
    passed += (await runScenario(which, { revision, scenario }, say)) ? 1 : 0;
  }
  say(`${passed} passed, ${asked.length - passed} failed`);
  return passed === asked.length && passed > 0 ? 0 : 1;
}

async function runServer(only: readonly string[], say: Say): Promise<number> {
  say(`${suite}, against the tools of an agent:`);
  const agent = await againstAgent({ of: ofAgent, only, say });
  say('against sample tools behind the same endpoint:');
  const samples = await againstSamples({ of: ofSamples, only, say });
  const [passed, wanted] = [agent.passed + samples.passed, agent.wanted + samples.wanted];
  say(`${passed} of ${wanted} passed`);
  return passed === wanted && wanted > 0 ? 0 : 1;
}

/**
 * Returns the exit code. `args`: `client` and a revision, or `server`, which may be left out; then names of
 * scenarios, none for all.
 */
export async function main(args: readonly string[], say: Say): Promise<number> {
  const [role, ...rest] = args;
  if (role !== 'client') return runServer(role === 'server' ? rest : args, say);
  const revision = revisions.find((each) => each === rest[0]);
  if (revision === undefined) throw new Error(`Name a revision: client ${revisions.join(' or ')}`);
  return runClient(revision, rest.slice(1), say);
}
