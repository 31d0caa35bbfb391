import { ok } from '../../contract/result.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import type { IdentityParts } from './identity.ts';

type IdentityMethods = Pick<
  Handlers,
  | 'setup.unfinished'
  | 'setup.resumeSignUp'
  | 'setup.dropSignUp'
  | 'agents.syncProfile'
  | 'devices.fingerprint'
  | 'devices.list'
  | 'devices.revoke'
  | 'devices.enrolBegin'
  | 'devices.enrolWait'
  | 'devices.enrolFinish'
  | 'devices.enrolLook'
  | 'devices.enrolApprove'
  | 'peers.list'
  | 'peers.accept'
  | 'peers.allow'
  | 'peers.block'
  | 'peers.forget'
  | 'peers.holdFirst'
>;

export function createIdentityHandlers(identity: IdentityParts, agents: AgentStore): IdentityMethods {
  const { signUps, profiles, enrolment, devices, peers } = identity;
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
    'devices.fingerprint': () => devices.fingerprint(),
    'devices.list': async () => {
      const listed = await devices.list();
      return listed.ok ? ok({ devices: [...listed.value] }) : listed;
    },
    'devices.revoke': async ({ device }) => {
      const revoked = await devices.revoke(device);
      return revoked.ok ? ok({}) : revoked;
    },
    'devices.enrolBegin': ({ serverUrl }) => enrolment.begin(serverUrl),
    'devices.enrolWait': () => enrolment.wait(),
    'devices.enrolFinish': ({ accept }) => enrolment.finish(accept),
    'devices.enrolLook': async ({ code }) => {
      const asking = await devices.look(code);
      if (!asking.ok) return asking;
      const { request: _, ...shown } = asking.value;
      return ok(shown);
    },
    'devices.enrolApprove': ({ code, words }) => devices.approve(code, words),
    'peers.list': () => peers.list(),
    'peers.accept': ({ slug, fingerprint }) => peers.accept(slug, fingerprint),
    'peers.allow': ({ slug }) => peers.allow(slug),
    'peers.block': ({ slug }) => peers.block(slug),
    'peers.forget': ({ slug }) => peers.forget(slug),
    'peers.holdFirst': ({ on }) => peers.holdFirst(on),
    'agents.syncProfile': async ({ agent }) => {
      const found = findAgent(agents, agent);
      return found.ok ? ok({ warning: await profiles.push(found.value.id) }) : found;
    },
  };
}
