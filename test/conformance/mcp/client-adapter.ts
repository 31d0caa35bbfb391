/**
 * The client under test of the conformance suite: connects Kennel's connector to the address in the last argument,
 * and does what the scenario asks for. Exits with 1 if it fails.
 */
import { ok } from '../../../src/contract/result.ts';
import type { McpConnection, McpHandlers, McpToolDefinition } from '../../../src/core/mcp/mcp-ports.ts';
import { mcpServerConfigSchema } from '../../../src/core/mcp/server-config.ts';
import { createSystemClock } from '../../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../../src/services/clock/system-random.ts';
import { openCallbackServer } from '../../../src/services/logins/callback-server.ts';
import { createMcpConnector } from '../../../src/services/mcp-client/connector.ts';

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const version = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as {
  client_id?: string;
  client_secret?: string;
  toolCalls?: readonly { readonly name: string; readonly arguments?: Record<string, unknown> }[];
};
const url = process.argv.at(-1) ?? '';

const clock = createSystemClock();
const stored = new Map<string, string>();
const connector = createMcpConnector({
  version: '1',
  clock,
  random: createSystemRandom(),
  startProgram: () => Promise.reject(new Error('The suite starts no programs.')),
  eras: {
    // The revision under test decides the era, as a verdict of an earlier connection does.
    read: () => JSON.stringify({ era: version === '2026-07-28' ? 'modern' : 'legacy', at: clock.now() }),
    write: () => undefined,
  },
  oauth: {
    credentials: {
      read: async (id) => ok(stored.get(id) ?? null),
      async write(id, text) {
        if (text === null) stored.delete(id);
        else stored.set(id, text);
        return ok(undefined);
      },
    },
    authorizer: {
      listen: (state) => openCallbackServer({ clock, state, lifeMs: 20_000 }),
      // The suite's page redirects at once.
      async openPage(_id, page) {
        await fetch(page);
        return ok(undefined);
      },
    },
  },
});

const handlers: McpHandlers = {
  onEvent: () => undefined,
  elicit: async () =>
    ok({ action: 'accept', content: scenario.includes('defaults') ? {} : { confirmed: true } }),
  sample: async () => ok({ model: 'test', text: 'test' }),
  roots: async () => ok([{ uri: 'file:///tmp' }]),
};

const config = mcpServerConfigSchema.parse({
  url,
  oauth: {
    ...(context.client_id === undefined ? {} : { clientId: context.client_id }),
    ...(context.client_secret === undefined ? {} : { clientSecret: context.client_secret }),
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  },
});

function argumentsFor(name: string, all: readonly McpToolDefinition[]): Record<string, unknown> {
  if (name === 'add_numbers') return { a: 5, b: 3 };
  if (name !== 'json_schema_echo') return {};
  return { schema: all.find((tool) => tool.name !== name)?.inputSchema };
}

/** Calls every tool, with arguments that fit the suite's servers. */
async function callTools(connection: McpConnection): Promise<void> {
  const tools = await connection.tools();
  if (!tools.ok) throw new Error(tools.error.message);
  if (context.toolCalls) {
    for (const { name, arguments: args = {} } of context.toolCalls) await connection.callTool(name, args);
    return;
  }
  for (const { name } of tools.value) await connection.callTool(name, argumentsFor(name, tools.value));
}

const connected = await connector.connect({ id: 'server', config }, handlers);
if (!connected.ok) {
  console.error(connected.error.code, connected.error.message);
  process.exit(1);
}
await callTools(connected.value);
await connected.value.close();
process.exit(0);
