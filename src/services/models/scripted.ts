/** The scripted model: a fixed script behind the model port, word by word, so that Kennel can be tried without any model. */
import { appError } from '../../contract/errors.ts';
import { sleep } from '../../core/lib/sleep.ts';
import { scriptedProvider } from '../../core/models/providers.ts';
import type { Clock, ModelEvent, ModelPort, ModelRequest } from '../../core/ports.ts';
import { failed } from './http-failure.ts';
import { scriptedAnswer } from './script.ts';

export function createScriptedModel(deps: { readonly clock: Clock }): ModelPort {
  return {
    provider: scriptedProvider,
    stream: (request, signal) => recite(deps.clock, request, signal),
  };
}

async function* recite(clock: Clock, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const answer = scriptedAnswer(request.system, request.messages);
  const words = answer.text.match(/\S+\s*/g) ?? [];
  for (const word of words) {
    await sleep(clock, answer.wordMs, signal);
    if (signal.aborted) {
      yield failed(appError('cancelled', 'The reply was stopped.'), false);
      return;
    }
    yield { type: 'text_delta', text: word };
  }
  if (answer.fails) {
    yield failed(
      appError('model_error', 'The scripted helper broke off, because you asked it to fail.', {
        hint: 'Nothing is wrong. Send another message.',
      }),
      false,
    );
    return;
  }
  yield { type: 'done', stopReason: 'end' };
}
