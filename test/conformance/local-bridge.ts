/**
 * The section `bridge` of the suite `puffo-local`: recorded exchanges in order, over one home with a fixed
 * clock.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { agentConfigSchema } from '../../src/core/agents/agent-config.ts';
import { type BridgeWorld, openBridgeWorld, putFile } from './bridge-world.ts';
import { type CaseResult, expectSame, expectTrue, must, type SlowSection, testCase } from './case.ts';

const exchange = z.object({
  name: z.string(),
  request: z.object({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.string()),
    body_utf8: z.string(),
  }),
  response: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    json: z.unknown().optional(),
    text: z.string().optional(),
  }),
});
type Exchange = z.infer<typeof exchange>;

const sectionShape = z.object({
  clock_ms: z.number(),
  pairing_json: z.record(z.string(), z.unknown()),
  files_written_by_create: z.record(z.string(), z.string()),
  transcript: z.array(exchange),
});
type Recorded = z.infer<typeof sectionShape>;

const helper = (world: BridgeWorld): string => path.join(world.home, 'agents', 'helper-9a7c');

/** Sets up state of the recording that no request created. */
function setTheScene(
  world: BridgeWorld,
  name: string,
  clockMs: number,
  file: Readonly<Record<string, unknown>>,
): void {
  if (name === 'list') {
    writeFileSync(path.join(helper(world), 'runtime.json'), String(file.runtime_json));
  }
  if (name === 'files root') {
    const workspace = path.join(helper(world), 'workspace');
    putFile(workspace, 'Zed.txt', 'z', clockMs);
    putFile(workspace, 'b.bin', Buffer.from([1, 0, 2]), clockMs);
    putFile(workspace, 'big.txt', 'x'.repeat(1_048_577), clockMs);
    putFile(workspace, 'notes/a.md', 'hi\n', clockMs);
  }
  if (name === 'detail (not owner)') {
    const config = agentConfigSchema().parse({ puffo_core: { server_url: 'https://api.puffo.ai' } });
    must(world.context.agents.create({ id: 'orphan', config, profile: '' }), 'an agent of nobody');
    must(world.context.secrets.apiKeys.setForAgent('orphan', 'sk-not-yours'), 'its key');
  }
}

/** `<HOME>` occurs inside texts; `<pid>`, `<version>` and `<free text>` stand for whole values. */
function fits(actual: unknown, expected: unknown, home: string): boolean {
  if (expected === '<free text>') return typeof actual === 'string' && actual !== '';
  if (expected === '<version>') return typeof actual === 'string' && actual !== '';
  if (expected === '<pid>') return actual === process.pid;
  if (typeof expected === 'string') return actual === expected.replace('<HOME>', home);
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((one, index) => fits(actual[index], one, home))
    );
  }
  if (typeof expected !== 'object' || expected === null) return isDeepStrictEqual(actual, expected);
  if (typeof actual !== 'object' || actual === null) return false;
  const names = Object.keys(expected);
  return (
    isDeepStrictEqual(Object.keys(actual).sort(), [...names].sort()) &&
    names.every((name) => fits(Reflect.get(actual, name), Reflect.get(expected, name), home))
  );
}

/**
 * Kennel is stricter than 0.8 here: a request without an allowed origin learns only that a bridge exists, and
 * agents of others are not listed.
 */
const stricter: Readonly<Record<string, unknown>> = {
  'info after pairing': { service: 'puffo-agent-bridge', version: 'v1' },
  'list hides an agent with a delete flag': { agents: [] },
};

async function replay(world: BridgeWorld, { name: title, request, response }: Exchange): Promise<void> {
  const { method, path: target, headers, body_utf8: body } = request;
  const answer = await world.ask({ method, path: target, headers, body });
  expectSame(answer.status, response.status, `status (${answer.text.slice(0, 120)})`);
  const said = (name: string): string => String(answer.headers[name.toLowerCase()] ?? '');
  for (const [name, value] of Object.entries(response.headers)) {
    const actual = said(name);
    const same = name === 'Content-Type' ? actual.split(';')[0] === value.split(';')[0] : actual === value;
    expectTrue(same, `header ${name}: got ${actual}, expected ${value}`);
  }
  for (const name of ['Access-Control-Allow-Origin', 'Access-Control-Allow-Private-Network']) {
    expectTrue(name in response.headers || said(name) === '', `header ${name} was not recorded`);
  }
  if (response.json === undefined) return expectSame(answer.text, response.text ?? '', 'text');
  const value: unknown = JSON.parse(answer.text);
  expectTrue(fits(value, stricter[title] ?? response.json, world.home), `got ${answer.text.slice(0, 600)}`);
}

async function slowCase(name: string, run: () => Promise<void>): Promise<CaseResult> {
  try {
    await run();
    return { name, why: null };
  } catch (error) {
    return { name, why: error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error) };
  }
}

const certMembers = ['identity_cert_json', 'slug_binding_json'];

/**
 * Files are as recorded, except that no secret is unencrypted: the key is wrapped, the API key is in a store
 * of its own.
 */
function checkFiles(world: BridgeWorld, recorded: Recorded): readonly CaseResult[] {
  const read = (name: string): string => readFileSync(path.join(helper(world), name), 'utf8');
  return Object.entries(recorded.files_written_by_create).map(([name, expected]) =>
    testCase(`file ${name}`, () => {
      if (!name.startsWith('keys/')) {
        return expectSame(read(name), expected.replace(/api_key: .*/, "api_key: ''"), name);
      }
      const made = z.record(z.string(), z.string()).parse(JSON.parse(read(name)));
      for (const [member, value] of Object.entries(JSON.parse(expected) as Record<string, string>)) {
        if (member.endsWith('_secret_key')) expectTrue(made[member] !== value, `${member} is in the clear`);
        else if (certMembers.includes(member))
          expectSame(JSON.parse(made[member] ?? ''), JSON.parse(value), member);
        else expectSame(made[member], value, member);
      }
    }),
  );
}

/** Each exchange depends on the earlier ones, so all of them run, whatever the results. */
export const bridge: SlowSection = async (value, file) => {
  const recorded = sectionShape.parse(value);
  const world = await openBridgeWorld();
  try {
    await world.clock.advance(recorded.clock_ms - world.clock.now());
    // The recorded client does not know pairing codes: the operator names its device instead.
    world.window.open(String(recorded.pairing_json.device_id));
    const results: CaseResult[] = [];
    for (const one of recorded.transcript) {
      setTheScene(world, one.name, recorded.clock_ms, file);
      results.push(await slowCase(one.name, () => replay(world, one)));
      if (one.name === 'pair') {
        const written: unknown = JSON.parse(readFileSync(path.join(world.home, 'pairing.json'), 'utf8'));
        results.push(testCase('pairing.json', () => expectSame(written, recorded.pairing_json, 'content')));
      }
      if (one.name === 'create') results.push(...checkFiles(world, recorded));
    }
    return results;
  } finally {
    await world.close();
  }
};
