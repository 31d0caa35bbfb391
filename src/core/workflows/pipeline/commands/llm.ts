/**
 * llm.invoke, llm_task.invoke: one turn of a model without tools, about the items. A repeated question is
 * paid for once: replies are cached by a digest of all inputs. An answer that breaks its schema is requested
 * again with the reason; if none fits, the stage fails.
 */
import { err, ok, type Result } from '../../../../contract/result.ts';
import { say } from '../../../../language/say.ts';
import { checkAgainst } from '../../../loop/json-schema.ts';
import { schemaFault } from '../../file/schema-fault.ts';
import type { StageProblem } from '../command.ts';
import {
  collect,
  failCommand,
  type Items,
  must,
  type PipelineCommand,
  type StageArguments,
  type StageContext,
} from '../command.ts';
import {
  type ExactJsonRecord,
  holdsBigint,
  isExactRecord,
  type JsonValue,
  parseExact,
  sortedJson,
} from '../exact-json.ts';
import type { Artifact, LlmReply, LlmRequest, PipelinePorts } from '../pipeline-ports.ts';

interface Llm {
  readonly request: Omit<LlmRequest, 'artifacts' | 'retryContext'>;
  readonly artifacts: readonly JsonValue[];
  readonly maxRetries: number;
  readonly stateKey: string | null;
  readonly refresh: boolean;
  readonly useCache: boolean;
}

type Fit =
  | { readonly ok: true; readonly data: JsonValue }
  | { readonly ok: false; readonly errors: readonly string[] };

/** Models often wrap JSON in a code fence although the prompt forbids it. */
const withoutFence = (text: string): string => /^```[a-z]*\n(.*)```$/is.exec(text.trim())?.[1] ?? text;

function matchSchema(schema: ExactJsonRecord, text: string): Fit {
  const read = parseExact(withoutFence(text).trim());
  if (!read.ok) return { ok: false, errors: [`It is no JSON: ${read.error}`] };
  const { value, issues } = checkAgainst(schema, read.value);
  if (issues.length > 0)
    return { ok: false, errors: issues.map(({ path, message }) => `${path} ${message}`) };
  return { ok: true, data: value as JsonValue };
}

function artifactOf(value: JsonValue, { sha256 }: PipelinePorts): Artifact {
  if (typeof value === 'string') return { kind: 'text', text: value, sha256: sha256(value) };
  return { kind: 'json', data: value, sha256: sha256(sortedJson(value)) };
}

function cacheKeyOf({ request }: Llm, artifacts: readonly Artifact[], { sha256 }: PipelinePorts): string {
  const { provider, prompt, model, schemaVersion, outputSchema, temperature, maxOutputTokens, metadata } =
    request;
  const hashes = artifacts.map((artifact) => artifact.sha256);
  const asked = {
    provider,
    prompt,
    model,
    schemaVersion,
    outputSchema,
    temperature,
    maxOutputTokens,
    metadata,
  };
  return sha256(sortedJson({ ...asked, hashes }));
}

async function answerOf(
  llm: Llm,
  artifacts: readonly Artifact[],
  { ports, signal }: StageContext,
): Promise<{ readonly reply: LlmReply; readonly data: JsonValue }> {
  const { outputSchema } = llm.request;
  let retryContext: LlmRequest['retryContext'] = null;
  for (let attempt = 1; ; attempt += 1) {
    const reply: LlmReply = must(await ports.llm.ask({ ...llm.request, artifacts, retryContext }, signal));
    if (outputSchema === null) return { reply, data: null };
    const fitted = matchSchema(outputSchema, reply.text);
    if (fitted.ok) return { reply, data: fitted.data };
    if (attempt > llm.maxRetries) {
      failCommand(
        'model_error',
        say('pipelines.modelBreaksSchema', { why: fitted.errors.slice(0, 5).join('; ') }),
      );
    }
    retryContext = { attempt, errors: fitted.errors, text: reply.text };
  }
}

/** Cached reply under the key, if it answers exactly this question. */
async function kept(
  llm: Llm,
  key: string,
  cacheKey: string,
  ports: PipelinePorts,
): Promise<ExactJsonRecord | null> {
  if (llm.refresh || (!llm.useCache && llm.stateKey === null)) return null;
  const found = must(await ports.state.get('answer', key));
  return isExactRecord(found) && found.cacheKey === cacheKey ? found : null;
}

async function* run(llm: Llm, items: Items, context: StageContext): Items {
  const { ports } = context;
  const values = [...llm.artifacts, ...(await collect(items))];
  const artifacts = values.map((value) => artifactOf(value, ports));
  const cacheKey = cacheKeyOf(llm, artifacts, ports);
  // No digest begins with these letters, so user keys and digests never collide.
  const key = llm.stateKey === null ? cacheKey : `key:${llm.stateKey}`;
  const before = await kept(llm, key, cacheKey, ports);
  if (before !== null) {
    yield { ...before, cached: true, source: llm.stateKey === null ? 'cache' : 'run_state' };
    return;
  }
  const { reply, data } = await answerOf(llm, artifacts, context);
  const format = llm.request.outputSchema === null ? 'text' : 'json';
  const answer: ExactJsonRecord = {
    kind: 'llm.invoke',
    runId: reply.runId,
    provider: llm.request.provider,
    model: reply.model,
    schemaVersion: llm.request.schemaVersion,
    output: { format, text: reply.text, data },
    usage: reply.usage,
    artifactHashes: artifacts.map(({ sha256 }) => sha256),
    cacheKey,
    cached: false,
    source: 'remote',
  };
  if (llm.useCache || llm.stateKey !== null) must(await ports.state.set('answer', key, answer));
  yield answer;
}

const providers: Readonly<Record<string, string>> = {
  openclaw: 'openclaw',
  fluffbuzz: 'openclaw',
  pi: 'pi',
  http: 'http',
  kennel: 'kennel',
};

function read(args: StageArguments): Result<Llm, StageProblem> {
  const prompt = args.text('prompt') ?? args.words[0] ?? '';
  if (prompt.trim() === '') return err({ message: say('pipelines.promptMissing') });
  const artifacts = args.json('artifacts-json') ?? [];
  if (!Array.isArray(artifacts)) return err({ message: say('pipelines.artifactsNoList') });
  const outputSchema = args.record('output-schema');
  if (outputSchema !== null && holdsBigint(outputSchema)) {
    return err({ message: say('pipelines.schemaNumber', { flag: 'output-schema' }) });
  }
  const fault = outputSchema === null ? null : schemaFault(outputSchema);
  if (fault !== null)
    return err({ message: say('pipelines.flagNoSchema', { flag: 'output-schema', fault }) });
  const provider = args.text('provider');
  return ok({
    request: {
      provider: provider === null ? null : (providers[provider] ?? provider),
      model: args.text('model'),
      token: args.text('token'),
      prompt,
      metadata: args.record('metadata-json') ?? {},
      outputSchema,
      schemaVersion: args.text('schema-version') ?? 'v1',
      temperature: args.number('temperature'),
      maxOutputTokens: args.number('max-output-tokens'),
    },
    artifacts,
    maxRetries: args.number('max-validation-retries') ?? 1,
    stateKey: args.text('state-key'),
    refresh: args.has('refresh'),
    useCache: !args.has('disable-cache'),
  });
}

export const llmInvoke: PipelineCommand = {
  name: 'llm.invoke',
  aliases: ['llm_task.invoke'],
  description: 'Asks a model once about the items, without tools; with a schema its answer is checked.',
  flags: [
    { name: 'prompt', type: 'text', description: 'what the model is asked' },
    { name: 'provider', type: 'choice', choices: Object.keys(providers), description: 'who is asked' },
    { name: 'model', type: 'text', description: 'which model; the host chooses when absent' },
    { name: 'token', type: 'text', description: 'token for the provider', ownerOnly: true },
    { name: 'artifacts-json', type: 'json', description: 'a JSON list of more to look at' },
    { name: 'metadata-json', type: 'record', description: 'a JSON object for the provider' },
    { name: 'output-schema', type: 'record', description: 'JSON schema of the answer' },
    { name: 'schema-version', type: 'text', description: 'part of what answers are kept by', default: 'v1' },
    { name: 'max-validation-retries', type: 'count', description: 'how often it is asked again', default: 1 },
    { name: 'temperature', type: 'number', description: 'of the model' },
    { name: 'max-output-tokens', type: 'count', description: 'longest answer' },
    { name: 'state-key', type: 'text', description: 'keeps the answer under this key' },
    { name: 'refresh', type: 'switch', description: 'asks although an answer is kept', default: false },
    { name: 'disable-cache', type: 'switch', description: 'keeps no answer and takes none', default: false },
  ],
  words: { name: 'a prompt', description: 'instead of --prompt', min: 0, max: 1 },
  examples: [`llm.invoke --prompt 'Sort these mails' --output-schema '{"type":"object"}'`],
  sideEffects: ['asks_model', 'writes_state'],
  effect: 'idempotent',
  prepare: (args) => {
    const llm = read(args);
    return llm.ok ? ok({ kind: 'flow', run: (items, context) => run(llm.value, items, context) }) : llm;
  },
};
