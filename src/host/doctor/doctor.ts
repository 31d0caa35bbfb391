import type { DoctorCheck, HostView } from '../../contract/model.ts';
import type { HostPorts } from '../host-ports.ts';
import { checkLock } from './lock-check.ts';
import { checkMachine, type MachineCheckDeps } from './machine-check.ts';
import { checkPorts, checkServers, type PortCheckDeps, type ServerCheckDeps } from './network-check.ts';
import { checkPath } from './shell-check.ts';

export interface ExamineDeps {
  readonly machine: MachineCheckDeps;
  readonly network: ServerCheckDeps;
  readonly ports: PortCheckDeps;
  readonly env: HostPorts['env'];
}

/** Checks of this machine, its network and this folder, possible without a running host. */
export async function runCheckUp(
  { machine, network, ports, env }: ExamineDeps,
  vault: HostView['vault']['kind'],
): Promise<DoctorCheck[]> {
  const checks = await Promise.all([
    checkMachine(machine, vault),
    checkPath(env),
    checkPorts(ports),
    checkServers(network),
  ]);
  return [...checks.flat(), checkLock(machine.home, ports.mode)];
}
