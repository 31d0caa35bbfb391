/** An agent whose scripted model runs a workflow on request, and finishes its task with the result. */
import { reply } from '../conformance/models/adapter-under-test.ts';
import { anthropicAdapter } from '../conformance/models/anthropic-wire.ts';
import { type Answer, type Asked, startModelServer } from '../conformance/models/model-server.ts';
import type { Door } from './door.ts';
import { until } from './invariants.ts';

export const taskerName = 'tasker';
/** `life`: argument of the workflow, and key of the task. */
export const goalOf = (life: string): string => `run held for ${life}.`;
export const resultOf = (life: string): string => `${life} came to its end.`;

export interface Tasker {
  /** Adds the agent to this host, unless it exists. */
  join(door: Door): Promise<void>;
  close(): Promise<void>;
}

const { provider, model, basePath, wire } = anthropicAdapter;
let replies = 0;

function calls(name: string, args: object): Answer {
  replies += 1;
  const id = `call_${replies}`;
  const block = { type: 'call', id, name, pieces: [JSON.stringify(args)] } as const;
  // A reply is counted once by its id, so each has its own.
  return { frames: wire(reply([block], { id: `resp_${replies}` })) };
}

function nextStep({ body }: Asked): Answer {
  const seen = JSON.stringify(body.messages ?? '');
  const life = /run held for (\S+?)\./.exec(seen)?.[1] ?? '';
  if (seen.includes(`${life} is done`)) return calls('finish', { result: resultOf(life) });
  return calls('puppy_run', { pipeline: 'held.puppy', argsJson: JSON.stringify({ life }) });
}

export async function startTasker(): Promise<Tasker> {
  const server = await startModelServer();
  server.answerBy(nextStep);
  return {
    async join(door) {
      const { agents } = await door.call('agents.list', {});
      if (agents.some(({ id }) => id === taskerName)) return;
      const baseUrl = `${server.origin}${basePath}`;
      await door.call('agents.create', { id: taskerName, provider, model, baseUrl, apiKey: 'sk-test' });
      const tools = { allow: [], alsoAllow: ['puppy.run'], deny: [] };
      await door.call('agents.setTools', { agent: taskerName, tools });
      await until(
        'it to be online',
        async () => (await door.call('agents.get', { agent: taskerName })).connection === 'online',
      );
    },
    close: () => server.close(),
  };
}
