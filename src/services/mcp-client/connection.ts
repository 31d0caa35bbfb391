/** An open connection to a server: the methods of the port on its session. */
import { type Client, UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type {
  McpCallOptions,
  McpConnection,
  McpHandlers,
  McpServerCapabilities,
  McpToolResult,
} from '../../core/mcp/mcp-ports.ts';
import type { CallDeadlines } from './call-deadline.ts';
import {
  limitList,
  readBlock,
  readContents,
  readPromptEntry,
  readResource,
  readTemplate,
  readTool,
  readToolResult,
} from './read-results.ts';
import type { McpSession, Operation, SessionRequest } from './session.ts';
import type { McpSubscriptions } from './subscriptions.ts';

export interface McpConnectionDeps {
  readonly session: McpSession;
  readonly handlers: McpHandlers;
  readonly deadlines: CallDeadlines;
  readonly subscriptions: McpSubscriptions;
}

/** The client whose tools were listed last: each session has a client of its own. */
interface ListedSession {
  client: Client | null;
}

const fresh = (request: SessionRequest) => ({ ...request, cacheMode: 'refresh' as const });

function readCapabilities(session: McpSession): McpServerCapabilities {
  const { tools, resources, prompts, completions, logging } =
    session.link().client.getServerCapabilities() ?? {};
  return {
    tools: tools !== undefined,
    resources: resources !== undefined,
    subscribe: resources?.subscribe === true,
    prompts: prompts !== undefined,
    completions: completions !== undefined,
    logging: logging !== undefined,
  };
}

type Lists = Pick<McpConnection, 'tools' | 'resources' | 'resourceTemplates' | 'prompts'>;

function createLists({ session, handlers }: McpConnectionDeps, listed: ListedSession): Lists {
  const list = async <Raw, T>(
    operation: Operation<readonly Raw[]>,
    read: (raw: Raw) => T,
    options?: McpCallOptions,
  ): Promise<Result<readonly T[]>> => {
    const got = await session.run(operation, options);
    if (!got.ok) return got;
    const { entries, leftOut } = limitList(got.value.map(read));
    if (leftOut > 0) {
      const text = `${leftOut} entries of a list were left out, because they are too long.`;
      handlers.onEvent({ kind: 'log', level: 'warning', text });
    }
    return ok(entries);
  };
  return {
    tools: (options) =>
      list(
        async (on, request) => {
          const { tools } = await on.listTools({}, fresh(request));
          listed.client = on;
          return tools;
        },
        readTool,
        options,
      ),
    resources: (options) =>
      list(
        async (on, request) => (await on.listResources({}, fresh(request))).resources,
        readResource,
        options,
      ),
    resourceTemplates: (options) =>
      list(
        async (on, request) => (await on.listResourceTemplates({}, fresh(request))).resourceTemplates,
        readTemplate,
        options,
      ),
    prompts: (options) =>
      list(
        async (on, request) => (await on.listPrompts({}, fresh(request))).prompts,
        readPromptEntry,
        options,
      ),
  };
}

/** Asks the operator to open the pages that the server wants to be opened before it runs a tool. */
async function openPages(
  { handlers: { elicit }, deadlines }: McpConnectionDeps,
  { elicitations }: UrlElicitationRequiredError,
  signal: AbortSignal,
): Promise<boolean> {
  if (!elicit) return false;
  for (const { message, url, elicitationId } of elicitations) {
    const address = URL.parse(url);
    if (address?.protocol !== 'https:' && address?.protocol !== 'http:') return false;
    const question = { kind: 'url', message, url: address.href, id: elicitationId } as const;
    const answer = await deadlines.hold(() => elicit(question, signal));
    if (!answer.ok || answer.value.action !== 'accept') return false;
  }
  return true;
}

async function callOn(
  deps: McpConnectionDeps,
  on: Client,
  { name, args }: { readonly name: string; readonly args: Readonly<Record<string, unknown>> },
  request: SessionRequest,
): Promise<McpToolResult> {
  const call = () => on.callTool({ name, arguments: { ...args } }, request);
  try {
    return readToolResult(await call());
  } catch (error) {
    if (!(error instanceof UrlElicitationRequiredError)) throw error;
    if (!(await openPages(deps, error, request.signal))) throw error;
    return readToolResult(await call());
  }
}

/** A renewed session may belong to a server with other tools, so they are listed before the call (T10). */
const callTool =
  (deps: McpConnectionDeps, listed: ListedSession): McpConnection['callTool'] =>
  async (name, args, options = {}) => {
    const { accepts, onProgress } = options;
    const called = await deps.session.run(
      async (on, request): Promise<Result<McpToolResult>> => {
        if (accepts && listed.client !== on) {
          const { tools } = await on.listTools({}, fresh(request));
          const found = tools.map(readTool).find((tool) => tool.name === name);
          if (!accepts(found ?? null))
            return err(fail('forbidden', 'mcpServers.toolChanged', { tool: name }));
        }
        return ok(await callOn(deps, on, { name, args }, request));
      },
      options,
      onProgress,
    );
    return called.ok ? called.value : called;
  };

type Prompting = Pick<McpConnection, 'getPrompt' | 'complete'>;

const createPrompting = ({ session }: McpConnectionDeps): Prompting => ({
  getPrompt: (name, args, options) =>
    session.run(async (on, request) => {
      const { description, messages } = await on.getPrompt({ name, arguments: { ...args } }, request);
      return {
        ...(description === undefined ? {} : { description }),
        messages: messages.flatMap(({ role, content }) => {
          const read = readBlock(content);
          return read ? [{ role, content: read }] : [];
        }),
      };
    }, options),
  complete: ({ of, argument, value, given }, options) =>
    session.run(async (on, request) => {
      const ref =
        of.kind === 'prompt'
          ? { type: 'ref/prompt' as const, name: of.name }
          : { type: 'ref/resource' as const, uri: of.uriTemplate };
      const { completion } = await on.complete(
        {
          ref,
          argument: { name: argument, value },
          ...(given ? { context: { arguments: { ...given } } } : {}),
        },
        request,
      );
      return { values: completion.values, hasMore: completion.hasMore === true };
    }, options),
});

export function createConnection(deps: McpConnectionDeps): McpConnection {
  const { session, handlers, subscriptions } = deps;
  const { client } = session.link();
  const info = client.getServerVersion();
  const era = client.getProtocolEra() ?? 'legacy';
  const listed: ListedSession = { client: null };
  return {
    era,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    serverInfo: info ? { name: info.name, version: info.version } : null,
    capabilities: readCapabilities(session),
    instructions: client.getInstructions() ?? null,
    ...createLists(deps, listed),
    ...createPrompting(deps),
    callTool: callTool(deps, listed),
    readResource: (uri, options) =>
      session.run(
        async (on, request) => readContents((await on.readResource({ uri }, fresh(request))).contents),
        options,
      ),
    async subscribe(uri, options) {
      const done = await session.run((on, request) => subscriptions.subscribe(on, uri, request), options);
      return done.ok ? done.value : done;
    },
    unsubscribe: (uri, options) =>
      session.run((on, request) => subscriptions.unsubscribe(on, uri, request), options),
    async rootsChanged() {
      if (!handlers.roots || era === 'modern') return ok(undefined);
      return session.run((on) => on.sendRootsListChanged());
    },
    logTail: () => session.link().program?.stderrTail() ?? '',
    close: () => session.end({ by: 'client' }),
  };
}
