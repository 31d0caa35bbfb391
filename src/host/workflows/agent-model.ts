import { textError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { addSpent, noneSpent } from '../../core/models/usage.ts';
import type { ToolCallContext } from '../../core/tools/tool.ts';
import type { StepOutcome } from '../../core/workflows/engine/engine-ports.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import { runModelTask } from '../../core/workflows/model-step.ts';
import type { ModelTold, StepModelWish } from '../../core/workflows/puppy-port.ts';
import type { AskModelFor } from './ask-model.ts';

const name = 'llm_task';

function answerOf(outcome: StepOutcome): Result<Json> {
  if (outcome.type === 'done') return ok(outcome.json ?? null);
  if (outcome.type === 'halted') return err(fail('model_error', 'workflows.modelGaveNoAnswer'));
  const code = outcome.code === 'budget' ? 'rate_limited' : 'model_error';
  return err(textError(outcome.code === 'cancelled' ? 'cancelled' : code, outcome.message));
}

/** Asks the agent's own model like an `llm-task` step, in the agent's turn and at its cost. */
export async function askForAgent(
  askModel: AskModelFor,
  agentId: string,
  wish: StepModelWish,
  { threadKey, turnId, signal }: ToolCallContext,
): Promise<ModelTold> {
  let used = noneSpent;
  const asker = { agentId, run: '', turn: { threadKey, turnId } };
  const own = { provider: null, model: null, temperature: null };
  const outcome = await runModelTask(
    { ...wish, ...own, name },
    async (question, s) => {
      const reply = await askModel(asker, question, s);
      used = addSpent(used, reply.ok ? reply.value.spent : reply.error.spent);
      return reply;
    },
    signal,
  );
  return { answer: answerOf(outcome), used };
}
