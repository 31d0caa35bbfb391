import type { Principal } from '../../contract/method-row.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import { ok } from '../../contract/result.ts';
import type { ContactDecision } from '../../core/puffo/contact-store.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { createOwnProfileHandlers } from './own-profile.ts';

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
  | 'contacts.list'
  | 'contacts.accept'
  | 'contacts.block'
  | 'contacts.forget'
  | 'profile.own'
  | 'profile.editOwn'
>;

const surfaceOf = ({ kind }: Principal): 'window' | 'terminal' =>
  kind === 'owner-ui' ? 'window' : 'terminal';

function createContactHandlers({ contacts }: Pick<HostContext, 'contacts'>) {
  const decide = async (
    { slug, server }: MethodParsed<'contacts.block'>,
    decision: ContactDecision,
    principal: Principal,
  ) => contacts.decide(slug, server, decision, surfaceOf(principal));
  return {
    'contacts.list': () => contacts.list(),
    'contacts.accept': (input, principal) => decide(input, 'accepted', principal),
    'contacts.block': async (input, principal) => {
      const blocked = await decide(input, 'blocked', principal);
      return blocked.ok ? ok({}) : blocked;
    },
    'contacts.forget': async (input, principal) => {
      const forgotten = await decide(input, 'unknown', principal);
      return forgotten.ok ? ok({}) : forgotten;
    },
  } satisfies Partial<IdentityMethods>;
}

export function createIdentityHandlers(context: HostContext): IdentityMethods {
  const { signUps, profiles, devices, peers } = context.identity;
  return {
    ...createOwnProfileHandlers(context),
    ...createContactHandlers(context),
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
    'devices.enrolBegin': ({ serverUrl }) => devices.begin(serverUrl),
    'devices.enrolWait': () => devices.wait(),
    'devices.enrolFinish': ({ accept }) => devices.finish(accept),
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
      const found = findAgent(context.agents, agent);
      return found.ok ? ok({ warning: await profiles.push(found.value.id) }) : found;
    },
  };
}
