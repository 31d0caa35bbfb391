import { ok } from '../../contract/result.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';

type IdentityMethods = Pick<
  Handlers,
  'setup.unfinished' | 'setup.resumeSignUp' | 'setup.dropSignUp' | 'agents.syncProfile'
>;

export function createIdentityHandlers(context: HostContext): IdentityMethods {
  const { signUps, profiles } = context.identity;
  return {
    'setup.unfinished': async () => {
      const signUp = await signUps.unfinished();
      return signUp.ok ? ok({ signUp: signUp.value }) : signUp;
    },
    'setup.resumeSignUp': () => signUps.resume(),
    'setup.dropSignUp': async () => {
      const dropped = await signUps.drop();
      return dropped.ok ? ok({}) : dropped;
    },
    'agents.syncProfile': async ({ agent }) => {
      const found = findAgent(context.agents, agent);
      return found.ok ? ok({ warning: await profiles.push(found.value.id) }) : found;
    },
  };
}
