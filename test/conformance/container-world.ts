/** A program in containers of a real podman, from an image made without a network. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { harnessFacts } from '../../src/contract/harnesses.ts';
import type { HarnessContainer } from '../../src/core/runtimes/harness-ports.ts';
import { type AgentContainers, createAgentContainers } from '../../src/host/harnesses/agent-containers.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { type ContainerRig, createContainerRig, testImage } from '../fakes/container-rig.ts';
import type { AcpProgram } from './acp-world.ts';
import { cache } from './harness-suite.ts';

export interface ContainerWorld {
  readonly rig: ContainerRig;
  readonly containers: AgentContainers;
  readonly container: HarnessContainer;
  end(): Promise<void>;
}

export async function createContainerWorld({ id, package: parts }: AcpProgram): Promise<ContainerWorld> {
  const { programs, adapter } = harnessFacts(id);
  const names = [...programs, ...(adapter === null ? [] : [adapter])];
  const rig = await createContainerRig({
    programs: ['bash'],
    folders: { 'opt/program': path.join(cache, parts.folder) },
    links: Object.fromEntries(
      names.map((name) => [`usr/bin/${name}`, `/opt/program/node_modules/.bin/${name}`] as const),
    ),
  });
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'kennel-boxes-')));
  const containers = createAgentContainers({
    env: rig.env,
    clock: createSystemClock(),
    layout: { home: folder, containers: path.join(folder, 'containers') },
  });
  return {
    rig,
    containers,
    container: { image: testImage, memory: '1g', memoryReservation: '', hosts: [] },
    async end() {
      rig.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
