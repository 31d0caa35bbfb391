import type { DoctorCheck, HostView } from '../../contract/model.ts';
import type { HostContext } from '../context.ts';
import { checkLock } from './lock-check.ts';
import { checkMachine } from './machine-check.ts';
import { checkPorts, checkServers } from './network-check.ts';
import { checkPath } from './shell-check.ts';

/** Checks of this machine, its network and this folder, possible without a running host. */
export async function examine(
  context: HostContext,
  vault: HostView['vault']['kind'],
): Promise<DoctorCheck[]> {
  const looked = await Promise.all([
    checkMachine(context.ports, vault),
    checkPath(context.ports),
    checkPorts(context),
    checkServers(context),
  ]);
  return [...looked.flat(), checkLock(context.ports)];
}
