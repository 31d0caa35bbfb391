/**
 * The scripted model: a fixed script behind the model port, streamed word by word, with tool calls, so that
 * all of Kennel can be tried without a model. Its usage is an estimate at sample prices and is marked as
 * simulated.
 */
import { fail } from '../../../contract/fail.ts';
import { sleep } from '../../../core/lib/sleep.ts';
import { transcriptText } from '../../../core/models/messages.ts';
import type {
  ModelContext,
  ModelEvent,
  ModelFailure,
  ModelPort,
  ModelTarget,
} from '../../../core/models/model-ports.ts';
import type { Clock } from '../../../core/ports.ts';
import { MessageBuilder } from '../message-builder.ts';
import { type ScriptedAnswer, scriptedAnswer } from './script.ts';

export function createScriptedModel(deps: { readonly clock: Clock }): ModelPort {
  return {
    api: 'scripted',
    stream: (target, context, _options, signal) => recite(deps.clock, { target, context, signal }),
  };
}

interface Recital {
  readonly target: ModelTarget;
  readonly context: ModelContext;
  readonly signal: AbortSignal;
}

async function* recite(clock: Clock, { target, context, signal }: Recital): AsyncGenerator<ModelEvent> {
  const answer = scriptedAnswer(context);
  const { provider, model } = target;
  const message = new MessageBuilder({ api: 'scripted', provider, model, timestamp: clock.now() });
  message.usage(estimate(context, answer));
  message.start();
  for (const word of answer.text.match(/\S+\s*/g) ?? []) {
    await sleep(clock, answer.wordMs, signal);
    if (signal.aborted) {
      message.fail(stopped);
      yield* message.take();
      return;
    }
    message.text('text', word);
    yield* message.take();
  }
  if (!(await sleep(clock, answer.pauseMs, signal))) {
    message.fail(stopped);
    yield* message.take();
    return;
  }
  if (answer.fails) message.fail(onPurpose);
  else {
    for (const [index, call] of answer.calls.entries()) {
      message.call(index, { id: '', name: call.name });
      message.argumentsPiece(index, JSON.stringify(call.arguments));
    }
    message.done(answer.calls.length > 0 ? 'toolUse' : 'stop');
  }
  yield* message.take();
}

/** About four characters per token, like a real model. */
function estimate(context: ModelContext, answer: ScriptedAnswer) {
  const read = context.messages.reduce(
    (sum, message) => sum + transcriptText(message).length,
    context.system.length,
  );
  const written = answer.text.length + JSON.stringify(answer.calls).length;
  return { input: Math.ceil(read / 4), output: Math.ceil(written / 4) };
}

const stopped: ModelFailure = {
  error: fail('cancelled', 'turns.replyStopped'),
  retryable: false,
};

const onPurpose: ModelFailure = {
  error: fail('model_error', 'models.scriptedFailure', {}, { help: 'models.nothingWrong' }),
  retryable: false,
};
