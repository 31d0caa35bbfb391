import { fail } from '../../contract/fail.ts';
import type { McpServerDetail, McpServerView, McpToolView } from '../../contract/mcp-server-methods.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { toVisibleLine, toVisibleText } from '../../contract/visible-text.ts';
import { skillName } from '../../core/agents/skills.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { McpToolDefinition } from '../../core/mcp/mcp-ports.ts';
import { type McpServerConfig, mcpServerConfigSchema } from '../../core/mcp/server-config.ts';
import { toolDefinitionText } from '../../core/mcp/tool-pins.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Secrets } from '../vault/secrets.ts';
import { outputOf } from './agent-server-tools.ts';
import type { KnownServer, KnownServers, McpServers } from './mcp-servers.ts';
import { changesDigest, changesText } from './server-questions.ts';
import { type ServerSources, unknownServer } from './server-sources.ts';
import { launchText, serverKey } from './server-specs.ts';
import { secretScope, storedNames, storedValue, tokenScope } from './server-values.ts';

type McpServerHandlers = Pick<
  Handlers,
  | 'mcpServers.list'
  | 'mcpServers.show'
  | 'mcpServers.add'
  | 'mcpServers.remove'
  | 'mcpServers.accept'
  | 'mcpServers.refuse'
  | 'mcpServers.acceptTools'
  | 'mcpServers.start'
  | 'mcpServers.stop'
  | 'mcpServers.callTool'
>;

export interface McpServerHandlerDeps {
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  readonly servers: McpServers;
  readonly sources: ServerSources;
  readonly secrets: Pick<Secrets, 'mcp' | 'openForReal'>;
  readonly scrub: HostPorts['scrub'];
}

interface ServerRef {
  readonly agent?: string | undefined;
  readonly name: string;
}

function stateOf({ record, live, isAccepted, spec }: KnownServer): McpServerView['state'] {
  if (isAccepted) return live.state;
  return record.refused === spec.hash ? 'refused' : 'unaccepted';
}

function viewOf(known: KnownServer): McpServerView {
  const { spec, record, live } = known;
  return {
    name: spec.name,
    agent: spec.agentId,
    source: spec.source,
    isLocal: spec.isLocal,
    launch: launchText(spec),
    hash: spec.hash,
    state: stateOf(known),
    reason: live.reason,
    authorizePage: known.authorizePage,
    tools: record.tools?.length ?? null,
    changed: live.changed().length,
  };
}

function claimsOf({ annotations = {} }: McpToolDefinition): McpToolView['claims'] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return {
    readOnly: readOnlyHint,
    destructive: destructiveHint,
    idempotent: idempotentHint,
    openWorld: openWorldHint,
  };
}

function detailOf(known: KnownServer, scrub: HostPorts['scrub']): McpServerDetail {
  const { record, live } = known;
  const changed = live.changed();
  const { speaks } = live;
  return {
    ...viewOf(known),
    accepted: (record.tools ?? []).map(({ definition }) => ({
      name: toVisibleLine(definition.name),
      description: toVisibleText(definition.description ?? ''),
      definition: toolDefinitionText(definition),
      parameters: definition.inputSchema,
      claims: claimsOf(definition),
    })),
    changes:
      changed.length === 0
        ? null
        : {
            digest: changesDigest(changed),
            names: changed.map(({ name }) => toVisibleLine(name)),
            diff: changesText(changed),
          },
    protocol: speaks?.protocolVersion ?? null,
    calls: live.calls.map(({ agentId: agent, tool, ...call }) => ({
      ...call,
      agent,
      tool: toVisibleLine(tool),
    })),
    log: live.log.map((line) => toVisibleLine(scrub(line))),
  };
}

/** `owner`: leaves out the servers of all others, which are in a list of their own; `undefined` for none. */
function listOf(
  listed: Result<KnownServers>,
  owner: string | null | undefined,
): Result<MethodOutput<'mcpServers.list'>> {
  if (!listed.ok) return listed;
  const { known, invalid } = listed.value;
  const isOwn = (id: string | null): boolean => owner === undefined || id === owner;
  return ok({
    servers: known.filter(({ spec }) => isOwn(spec.agentId)).map(viewOf),
    invalid: invalid
      .filter(({ agentId }) => isOwn(agentId))
      .map(({ name, agentId, why }) => ({ name: toVisibleLine(name), agent: agentId, mistake: why })),
  });
}

/** Puts the stored values out of the entry. */
function withoutSecrets(config: McpServerConfig, secrets: Readonly<Record<string, string>>): McpServerConfig {
  const names = Object.keys(secrets).map((name) => [name, storedValue(name)] as const);
  const values = Object.fromEntries(names);
  return config.type === 'http'
    ? { ...config, headers: { ...config.headers, ...values } }
    : { ...config, env: { ...config.env, ...values } };
}

/** Of the result of a call by the operator. */
const maxResultChars = 20_000;

const notAccepted = (name: string) =>
  err(fail('forbidden', 'mcpServers.notAccepted', { name }, { help: 'mcpServers.acceptFirst' }));

const changedMeanwhile = fail(
  'conflict',
  'mcpServers.changedMeanwhile',
  {},
  { help: 'mcpServers.lookAgain' },
);

export function createMcpServerHandlers(deps: McpServerHandlerDeps): McpServerHandlers {
  const { agents, servers, sources, secrets, scrub } = deps;
  const agentOf = (ref: string | undefined): Result<LoadedAgent | null> =>
    ref === undefined ? ok(null) : findAgent(agents, ref);
  const find = async ({ agent: ref, name }: ServerRef): Promise<Result<KnownServer>> => {
    const agent = agentOf(ref);
    if (!agent.ok) return agent;
    const listed = await servers.list(agent.value);
    if (!listed.ok) return listed;
    const owner = agent.value?.id ?? null;
    const found = listed.value.known.find(({ spec }) => spec.name === name && spec.agentId === owner);
    return found ? ok(found) : err(unknownServer(name));
  };
  const again = async (ref: ServerRef): Promise<Result<McpServerView>> => {
    const found = await find(ref);
    return found.ok ? ok(viewOf(found.value)) : found;
  };
  const detail = async (ref: ServerRef): Promise<Result<McpServerDetail>> => {
    const found = await find(ref);
    return found.ok ? ok(detailOf(found.value, scrub)) : found;
  };
  const keepSecrets = async (key: string, given: Readonly<Record<string, string>>): Promise<Result<void>> => {
    if (Object.keys(given).length === 0) return ok(undefined);
    const opened = await secrets.openForReal();
    if (!opened.ok) return opened;
    for (const [name, value] of Object.entries(given)) {
      const kept = secrets.mcp.set(secretScope(key, name), value);
      if (!kept.ok) return kept;
    }
    return ok(undefined);
  };
  return {
    'mcpServers.list': async ({ agent: ref }) => {
      const agent = agentOf(ref);
      if (!agent.ok) return agent;
      if (agent.value) return listOf(await servers.list(agent.value), undefined);
      const all = [null, ...agents.list()];
      const lists = await Promise.all(
        all.map(async (one) => listOf(await servers.list(one), one?.id ?? null)),
      );
      const failed = lists.find((one) => !one.ok);
      if (failed && !failed.ok) return failed;
      const good = lists.filter((one) => one.ok).map(({ value }) => value);
      return ok({ servers: good.flatMap((one) => one.servers), invalid: good.flatMap((one) => one.invalid) });
    },
    'mcpServers.show': detail,
    'mcpServers.add': async ({ agent: ref, name, entry, secrets: given, replace }) => {
      const agent = agentOf(ref);
      if (!agent.ok) return agent;
      if (!skillName.test(name))
        return err(fail('invalid_input', 'mcpServers.nameRules', {}, { where: 'name' }));
      const parsed = mcpServerConfigSchema.safeParse(entry);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const why = `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim();
        return err(fail('invalid_input', 'mcpServers.invalidEntry', { why }, { where: 'entry' }));
      }
      const known = await find({ agent: ref, name });
      if (known.ok && !replace) return err(fail('conflict', 'mcpServers.nameTaken', { name }));
      const kept = await keepSecrets(serverKey(agent.value?.id ?? null, name), given);
      if (!kept.ok) return kept;
      const changed = await sources.change(agent.value, name, withoutSecrets(parsed.data, given));
      return changed.ok ? again({ agent: ref, name }) : changed;
    },
    'mcpServers.remove': async (input) => {
      const agent = agentOf(input.agent);
      if (!agent.ok) return agent;
      const found = await find(input);
      if (found.ok && found.value.spec.source === 'agent')
        return err(
          fail('conflict', 'mcpServers.otherFile', { name: input.name }, { help: 'mcpServers.removeThere' }),
        );
      const removed = await sources.change(agent.value, input.name, null);
      if (!removed.ok) return removed;
      const key = serverKey(agent.value?.id ?? null, input.name);
      for (const name of found.ok ? storedNames(found.value.spec) : [])
        secrets.mcp.delete(secretScope(key, name));
      secrets.mcp.delete(tokenScope(key));
      const forgotten = await servers.forget(key);
      return forgotten.ok ? ok({}) : forgotten;
    },
    'mcpServers.accept': async (input) => {
      const found = await find(input);
      if (!found.ok) return found;
      if (found.value.spec.hash !== input.hash) return err(changedMeanwhile);
      const accepted = servers.accept(found.value);
      return accepted.ok ? again(input) : accepted;
    },
    'mcpServers.refuse': async (input) => {
      const found = await find(input);
      if (!found.ok) return found;
      const refused = await servers.refuse(found.value);
      return refused.ok ? again(input) : refused;
    },
    'mcpServers.acceptTools': async (input) => {
      const found = await find(input);
      if (!found.ok) return found;
      if (changesDigest(found.value.live.changed()) !== input.digest) return err(changedMeanwhile);
      const accepted = servers.acceptTools(found.value);
      return accepted.ok ? detail(input) : accepted;
    },
    'mcpServers.start': async (input) => {
      const found = await find(input);
      if (!found.ok) return found;
      const { live, isAccepted } = found.value;
      if (!isAccepted) return notAccepted(input.name);
      live.forgive();
      const begun = await live.begin(new AbortController().signal);
      return begun.ok ? detail(input) : begun;
    },
    'mcpServers.stop': async (input) => {
      const found = await find(input);
      if (!found.ok) return found;
      await found.value.live.stop();
      return again(input);
    },
    'mcpServers.callTool': async ({ tool, args, ...ref }) => {
      const found = await find(ref);
      if (!found.ok) return found;
      const { live, isAccepted } = found.value;
      if (!isAccepted) return notAccepted(ref.name);
      const { signal } = new AbortController();
      const result = await live.call({ tool, args, caller: null }, signal, () => undefined);
      if (!result.ok) return result;
      const { content, isError = false } = outputOf(result.value);
      const parts = content.map((block) =>
        block.type === 'text' ? block.text : `[Content of type ${block.mimeType} left out.]`,
      );
      const all = toVisibleText(parts.join('\n'));
      const text = cutCodePoints(all, maxResultChars);
      return ok({ isError, text, cut: text.length < all.length });
    },
  };
}
