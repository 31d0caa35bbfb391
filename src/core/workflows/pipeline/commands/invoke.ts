/**
 * openclaw.invoke, fluffbuzz.invoke, clawd.invoke: one tool call through a gateway. A token from the
 * environment goes to this computer only. Calls are never retried, because the other side may have acted.
 */
import { err, ok, type Result } from '../../../../contract/result.ts';
import type { HostText } from '../../../../language/host-message.ts';
import { say } from '../../../../language/say.ts';
import {
  drain,
  failCommand,
  type Items,
  must,
  type PipelineCommand,
  type StageArguments,
  type StageContext,
} from '../command.ts';
import {
  type ExactJsonRecord,
  exactJsonText,
  isExactRecord,
  type JsonValue,
  parseExact,
} from '../exact-json.ts';
import type { InvokeRequest } from '../pipeline-ports.ts';

interface Invoke {
  readonly name: string;
  readonly url: string | null;
  readonly token: string | null;
  readonly body: ExactJsonRecord;
  readonly args: ExactJsonRecord;
  readonly each: boolean;
  readonly itemKey: string;
}

/** True only for names and addresses that always mean this computer. */
function isLocal({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** `null` if the text is no web address, or contains credentials. */
function readUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.username === '' && url.password === '' ? url : null;
}

function target(invoke: Invoke, { ports }: StageContext): Omit<InvokeRequest, 'body'> {
  const { ambient } = ports.gateway;
  const text = invoke.url ?? ambient.url;
  if (text === null) {
    return failCommand(
      'invalid_input',
      say('pipelines.noAddress', { command: invoke.name }),
      say('pipelines.giveAddress'),
    );
  }
  const url = readUrl(text);
  if (url === null) {
    return failCommand('invalid_input', say('pipelines.wrongAddress', { command: invoke.name }));
  }
  if (invoke.token !== null) return { url: text, token: { kind: 'given', value: invoke.token } };
  if (!ambient.hasToken) return { url: text, token: { kind: 'none' } };
  if (isLocal(url)) return { url: text, token: { kind: 'ambient' } };
  return failCommand(
    'forbidden',
    say('pipelines.tokenKept', { command: invoke.name, address: url.host }),
    say('pipelines.giveToken'),
  );
}

function readAnswer(name: string, status: number, body: string): JsonValue {
  const read = parseExact(body);
  const answer = read.ok ? read.value : null;
  const failed = isExactRecord(answer) && answer.ok === false;
  if (status < 200 || status > 299 || failed) {
    const said = failed
      ? isExactRecord(answer.error)
        ? (answer.error.message ?? answer.error)
        : answer.error
      : body;
    failCommand(
      'unavailable',
      say('pipelines.callFailed', {
        command: name,
        status,
        what: exactJsonText(said ?? '').slice(0, 2000),
      }),
    );
  }
  if (!read.ok)
    return failCommand('protocol', say('pipelines.answerNoJson', { command: name, what: read.error }));
  return isExactRecord(answer) && answer.ok === true && Object.hasOwn(answer, 'result')
    ? (answer.result ?? null)
    : read.value;
}

async function* send(invoke: Invoke, args: ExactJsonRecord, context: StageContext): Items {
  const request = { ...target(invoke, context), body: { ...invoke.body, args } };
  const { status, body } = must(await context.ports.gateway.post(request, context.signal));
  const answer = readAnswer(invoke.name, status, body);
  if (Array.isArray(answer)) yield* answer;
  else yield answer;
}

async function* run(invoke: Invoke, items: Items, context: StageContext): Items {
  // Checked before the previous stages run, so that a refusal costs nothing.
  target(invoke, context);
  if (!invoke.each) {
    await drain(items);
    yield* send(invoke, invoke.args, context);
    return;
  }
  for await (const item of items) {
    const args = Object.fromEntries([...Object.entries(invoke.args), [invoke.itemKey, item]]);
    yield* send(invoke, args, context);
  }
}

function read(name: string, args: StageArguments): Result<Invoke, { readonly message: HostText }> {
  const url = args.text('url');
  if (url !== null && readUrl(url) === null) {
    return err({ message: say('pipelines.wrongUrl') });
  }
  const session = args.text('session-key');
  return ok({
    name,
    url,
    token: args.text('token'),
    body: {
      tool: args.text('tool') ?? '',
      action: args.text('action') ?? '',
      ...(session === null ? {} : { sessionKey: session }),
      ...(args.has('dry-run') ? { dryRun: true } : {}),
    },
    args: args.record('args-json') ?? {},
    each: args.has('each'),
    itemKey: args.text('item-key') ?? 'item',
  });
}

export const invoke: PipelineCommand = {
  name: 'openclaw.invoke',
  aliases: ['fluffbuzz.invoke', 'clawd.invoke'],
  description: 'Calls one tool behind a gateway; the elements of a list that comes back are items.',
  flags: [
    { name: 'tool', type: 'text', description: say('pipelines.flagTool'), required: true },
    { name: 'action', type: 'text', description: say('pipelines.flagAction'), required: true },
    { name: 'args-json', type: 'record', description: 'its arguments, a JSON object' },
    { name: 'url', type: 'text', description: 'address of the gateway', ownerOnly: true },
    { name: 'token', type: 'text', description: 'token for that address', ownerOnly: true },
    { name: 'session-key', type: 'text', description: 'whose session it is', ownerOnly: true },
    { name: 'dry-run', type: 'switch', description: 'asks the tool to do nothing', default: false },
    { name: 'each', type: 'switch', description: 'one call per item', default: false },
    { name: 'item-key', type: 'text', description: 'the argument that holds the item', default: 'item' },
  ],
  words: null,
  examples: [`openclaw.invoke --tool message --action send --args-json '{"text":"hi"}'`],
  sideEffects: ['calls_tools'],
  effect: 'once',
  prepare: (args) => {
    const whole = read('openclaw.invoke', args);
    if (!whole.ok) return whole;
    return ok({ kind: 'flow', run: (items, context) => run(whole.value, items, context) });
  },
};
