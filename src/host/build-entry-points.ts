import type { Scope } from '../core/lib/scope.ts';
import type { Approvals } from './approvals/approvals.ts';
import { type BridgeWiring, buildBridge } from './build-bridge.ts';
import { buildProgramAccess, type ProgramAccessWiring } from './build-program-access.ts';
import type { ModelAccess } from './fleet/model-access.ts';
import type { HostPorts } from './host-ports.ts';
import type { Layout } from './layout.ts';
import { createStreamProxy } from './proxy/proxy.ts';
import { createProxyTokens } from './proxy/proxy-tokens.ts';
import type { UsageService } from './usage/usage.ts';

export type EntryPointWiring = ProgramAccessWiring &
  Omit<BridgeWiring, 'note'> & {
    readonly ports: HostPorts;
    readonly layout: Layout;
    readonly models: ModelAccess;
    readonly approvals: Approvals;
    readonly usage: Pick<UsageService, 'gate'>;
  };

/** Part of the composition root: the entry points of other programs, each of which ends with `scope`. */
export function buildEntryPoints(wiring: EntryPointWiring, scope: Scope) {
  const { ports, layout, disk, settings, problems, models, usage, approvals } = wiring;
  const { clock, random, log } = ports;
  const { mcp, mcpCalls, data } = buildProgramAccess(wiring);
  scope.add('mcp', () => mcp.stop());
  scope.add('data service', () => data.stop());
  const bridge = buildBridge({ ...wiring, note: (entry) => approvals.note(entry) });
  scope.add('bridge', () => bridge.stop());
  const proxy = createStreamProxy({
    settings,
    problems,
    tokens: createProxyTokens({ disk, clock, path: layout.proxyFile, addSecret: ports.addSecret }),
    stream: { models, spend: usage.gate, clock, random },
    log,
  });
  scope.add('proxy', () => proxy.stop());
  return { mcp, mcpCalls, data, bridge, proxy };
}
