import type { DoctorCheck, HostView } from '../../contract/model.ts';
import { checkLock } from './lock-check.ts';
import { checkMachine } from './machine-check.ts';
import { checkPorts, checkServers, type PortCheckDeps, type ServerCheckDeps } from './network-check.ts';
import { checkPath } from './shell-check.ts';

export type ExamineDeps = PortCheckDeps & ServerCheckDeps;

/** Checks of this machine, its network and this folder, possible without a running host. */
export async function runCheckUp(
  deps: ExamineDeps,
  vault: HostView['vault']['kind'],
): Promise<DoctorCheck[]> {
  const { ports } = deps;
  const checks = await Promise.all([
    checkMachine(ports, vault),
    checkPath(ports),
    checkPorts(deps),
    checkServers(deps),
  ]);
  return [...checks.flat(), checkLock(ports)];
}
