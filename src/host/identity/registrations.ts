import { messageOf } from '../../contract/errors.ts';
import { say } from '../../language/say.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { Problems } from '../problems.ts';
import { type PendingRegistrations, type Registering, registrationProblem } from './pending-registrations.ts';
import type { CreateRetryLoop, RetryLoop } from './retry-loop.ts';
import { isRetryableCode } from './retryable-code.ts';

export interface RegistrationDeps {
  readonly pending: PendingRegistrations;
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  readonly problems: Problems;
  readonly createRetryLoop: CreateRetryLoop;
  isSignedIn(): boolean;
  register(agent: LoadedAgent): Registering;
}

/** Retries pending registrations of agents until each has an identity. */
export class Registrations {
  readonly #deps: RegistrationDeps;
  readonly #loop: RetryLoop;

  constructor(deps: RegistrationDeps) {
    this.#deps = deps;
    this.#loop = deps.createRetryLoop('registrations', () => this.#registerAll());
  }

  online(): void {
    void this.#loop.run();
  }

  stop(): void {
    this.#loop.stop();
  }

  async #registerAll(): Promise<boolean> {
    const { agents, pending } = this.#deps;
    let isWorkLeft = false;
    for (const agent of agents.list()) {
      if (this.#loop.isStopped() || !this.#deps.isSignedIn()) return false;
      if (agent.lastGood && pending.isWanted(agent.id)) isWorkLeft = (await this.#one(agent)) || isWorkLeft;
    }
    return isWorkLeft;
  }

  /** Returns true if it failed and a retry may succeed. */
  async #one(agent: LoadedAgent): Promise<boolean> {
    const { agents, pending, problems } = this.#deps;
    const done = await this.#deps.register(agent);
    if (done.ok) return false;
    const heals = isRetryableCode(done.error.code);
    const slug = configInForce(agents.get(agent.id) ?? agent).puffo_core.slug;
    if (!heals) pending.forget(agent.id);
    const why = messageOf(done.error);
    problems.set(registrationProblem(agent.id), 'warning', {
      message: slug === '' ? say('identity.filesWithoutIdentity', { id: agent.id, why }) : why,
      hint: heals ? say('identity.kennelRetries') : say('identity.runAgentRegister', { id: agent.id }),
    });
    return heals;
  }
}
