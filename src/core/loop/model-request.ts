/** Builds one request: converted conversation, tools, key, thinking level and limits. */

import { ok, type Result } from '../../contract/result.ts';
import type { Message, TranscriptMessage } from '../models/messages.ts';
import type { ModelContext, ToolDeclaration } from '../models/model-ports.ts';
import { fitToWindow } from './fit-window.ts';
import type { StreamGuard } from './guarded-stream.ts';
import type { LoopRequest, LoopSettings } from './loop-config.ts';
import type { LoopTool } from './loop-tool.ts';
import type { Run } from './run.ts';
import type { StreamOptions } from './stream-function.ts';
import { textModeInstructions, textModeMessages } from './text-mode.ts';
import { overheadTokens } from './tokens.ts';
import { isForModel } from './transcript.ts';

/** A local model may load for minutes; network adapters time out earlier. */
const defaultFirstMs = 330_000;
const defaultIdleMs = 90_000;
const defaultAbortGraceMs = 2_000;

export interface PreparedRequest {
  readonly context: ModelContext;
  readonly options: StreamOptions;
}

/** Whether calls are parsed from text. */
export const inTextMode = (run: Run): boolean =>
  run.config.parseAction !== undefined || run.settings.model.nativeTools === false;

const nativeMessages = (messages: readonly TranscriptMessage[]): readonly Message[] =>
  messages.filter(isForModel);

/** One declaration list per tool list, so that a prompt cache sees identical input. */
const declared = new WeakMap<readonly LoopTool[], readonly ToolDeclaration[]>();

function declarations(tools: readonly LoopTool[]): readonly ToolDeclaration[] {
  const known = declared.get(tools);
  if (known) return known;
  const made = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  declared.set(tools, made);
  return made;
}

export const guardOf = (run: Run): StreamGuard => ({
  clock: run.config.clock,
  signal: run.signal,
  model: run.settings.model,
  firstMs: run.config.firstEventMs ?? defaultFirstMs,
  idleMs: run.config.idleMs ?? defaultIdleMs,
  abortGraceMs: run.config.abortGraceMs ?? defaultAbortGraceMs,
});

export async function apiKeyOf(run: Run): Promise<string | null> {
  const { config, settings } = run;
  const asked = config.getApiKey ? await config.getApiKey(settings.model.provider) : undefined;
  return asked ?? config.apiKey ?? null;
}

export function requestOptions(
  run: Run,
  settings: Pick<LoopSettings, 'model' | 'thinkingLevel'>,
  apiKey: string | null,
): StreamOptions {
  const { config } = run;
  return {
    model: settings.model,
    thinkingLevel: settings.thinkingLevel,
    apiKey,
    idleMs: config.idleMs ?? defaultIdleMs,
    ...(config.sessionId === undefined ? {} : { sessionId: config.sessionId }),
    ...(config.maxOutputTokens === undefined ? {} : { maxOutputTokens: config.maxOutputTokens }),
    ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
    ...(config.providerOptions === undefined ? {} : { providerOptions: config.providerOptions }),
  };
}

async function messagesFor(run: Run): Promise<readonly Message[]> {
  const { config, transcript, signal } = run;
  const convert = config.convertToLlm ?? (inTextMode(run) ? textModeMessages : nativeMessages);
  if (!config.transformContext) return transcript.forModel(convert);
  return convert(await config.transformContext([...transcript.messages], signal));
}

/** Tokens of the system prompt and tools of the next request. */
export const overheadOf = (run: Run): number =>
  overheadTokens({ system: run.settings.system, tools: declarations(run.settings.tools) });

export async function prepareRequest(run: Run): Promise<Result<PreparedRequest>> {
  const { config, settings } = run;
  let request: LoopRequest = { ...settings, messages: await messagesFor(run) };
  if (config.prepareRequest) {
    const changed = await config.prepareRequest(request, run.signal);
    if (changed) request = { ...request, ...changed };
  }
  const apiKey = config.getApiKey ? await apiKeyOf(run) : (config.apiKey ?? null);
  const text = inTextMode(run);
  const system =
    text && !config.parseAction ? request.system + textModeInstructions(request.tools) : request.system;
  const context: ModelContext = {
    system,
    messages: request.messages,
    tools: text ? [] : declarations(request.tools),
  };
  const window = request.model.contextWindow ?? null;
  const fitted = window === null ? ok(context) : fitToWindow(context, window);
  return fitted.ok ? ok({ context: fitted.value, options: requestOptions(run, request, apiKey) }) : fitted;
}
