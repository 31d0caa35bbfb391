/** The connector over scripted servers, with its stores in memory. */
import { expect, vi } from 'vitest';
import { textError } from '../../src/contract/errors.ts';
import { err, ok } from '../../src/contract/result.ts';
import type {
  McpAuthorizer,
  McpConnection,
  McpConnector,
  McpEvent,
  McpHandlers,
  McpProgramStarter,
} from '../../src/core/mcp/mcp-ports.ts';
import { type McpServerConfig, mcpServerConfigSchema } from '../../src/core/mcp/server-config.ts';
import type { Clock } from '../../src/core/ports.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createMcpConnector } from '../../src/services/mcp-client/connector.ts';
import { patienceMs } from './patience.ts';

interface RigOptions {
  readonly startProgram?: McpProgramStarter;
  readonly clock?: Clock;
  readonly handlers?: Omit<McpHandlers, 'onEvent'>;
  /** Content of the store for credentials. */
  readonly credentials?: string;
  readonly authorizer?: McpAuthorizer;
}

export interface McpRig {
  readonly connector: McpConnector;
  /** Cached eras by the id of the server. */
  readonly eras: Map<string, string>;
  readonly events: readonly McpEvent[];
  readonly handlers: McpHandlers;
  /** Throws if the connection fails. */
  open(config?: McpServerConfig): Promise<McpConnection>;
  untilEvent(wanted: Partial<McpEvent>): Promise<void>;
}

export const programConfig = mcpServerConfigSchema.parse({ command: 'server' });

export function createMcpRig({ startProgram, clock, handlers, credentials, authorizer }: RigOptions): McpRig {
  const eras = new Map<string, string>();
  const events: McpEvent[] = [];
  const refused = err(textError('forbidden', 'No operator is here.'));
  const connector = createMcpConnector({
    version: '1',
    clock: clock ?? createSystemClock(),
    random: { fraction: () => 0 },
    startProgram: startProgram ?? (async () => refused),
    eras: {
      read: (id) => eras.get(id) ?? null,
      write(id, verdict) {
        if (verdict === null) eras.delete(id);
        else eras.set(id, verdict);
      },
    },
    oauth: {
      credentials: { read: async () => ok(credentials ?? null), write: async () => ok(undefined) },
      authorizer: authorizer ?? { listen: async () => refused, openPage: async () => refused },
    },
  });
  const all: McpHandlers = { ...handlers, onEvent: (event) => void events.push(event) };
  return {
    connector,
    eras,
    events,
    handlers: all,
    async open(config = programConfig) {
      const opened = await connector.connect({ id: 'server', config }, all);
      if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
      return opened.value;
    },
    async untilEvent(wanted) {
      await vi.waitFor(() => expect(events).toContainEqual(expect.objectContaining(wanted)), {
        timeout: patienceMs,
      });
    },
  };
}
