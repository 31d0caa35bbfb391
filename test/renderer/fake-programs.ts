/** Agent programs of the fake host: what is installed, and its tests. */

import type { ImageJob } from '../../src/contract/container-images.ts';
import { textError } from '../../src/contract/errors.ts';
import type { HarnessLog, HarnessProcessView } from '../../src/contract/harness-processes.ts';
import type { HarnessCanary, HarnessView } from '../../src/contract/harnesses.ts';
import type { MethodInput, MethodName, MethodOutput } from '../../src/contract/methods.ts';
import { err, ok } from '../../src/contract/result.ts';
import type { Handler } from './fake-host.ts';

export const imageJob: ImageJob = {
  image: 'localhost/kennel-pi:1',
  action: 'build',
  state: 'running',
  lines: [],
  lineCount: 0,
  error: null,
};

export class FakePrograms {
  installed: HarnessView[] = [];
  /** The computer offers a sandbox for them. */
  hasWall = true;
  /** Checks that a program passes when it is tested. */
  passes: HarnessCanary['passed'] = ['shell', 'edit', 'network', 'subAgent', 'denial', 'rewrite'];

  processes: HarnessProcessView[] = [];
  log: HarnessLog | null = null;
  ofAgent: MethodOutput<'harnesses.ofAgent'> = {
    harness: null,
    hasWall: true,
    canAttach: false,
    terminalSince: null,
    context: null,
  };
  containers: MethodOutput<'images.list'> = { engines: [], images: [], job: null };
  /** News of the running job, one for each time that the page asks. */
  jobs: ImageJob[] = [];
  container: MethodOutput<'images.container'> = {
    engine: 'podman',
    image: 'localhost/kennel-pi:1',
    isImageThere: true,
    memory: '1.5g',
    cpus: 2,
    processes: 512,
    state: 'exited',
  };

  table(): Partial<Record<MethodName, Handler>> {
    return {
      'harnesses.list': () => ok({ harnesses: [...this.installed], hasWall: this.hasWall }),
      'harnesses.test': ({ id }: MethodInput<'harnesses.test'>) => {
        const version = this.installed.find((one) => one.id === id)?.version ?? '';
        const canary = { version, at: Date.now(), passed: this.passes };
        this.installed = this.installed.map((one) => (one.id === id ? { ...one, canary } : one));
        return ok({ canary });
      },
      'images.list': () => ok(this.containers),
      'images.container': () => ok(this.container),
      'images.build': ({ harness }: MethodInput<'images.build'>) =>
        ok({ job: { ...imageJob, image: `localhost/kennel-${harness}:1` } }),
      'images.wait': () => {
        const job = this.jobs.shift() ?? null;
        if (job?.state === 'done')
          this.containers = {
            ...this.containers,
            images: this.containers.images.map((one) =>
              one.image === job.image ? { ...one, isThere: true } : one,
            ),
          };
        return job === null ? new Promise<never>(() => undefined) : ok({ job });
      },
      'images.stop': () => ok({}),
      'harnesses.ofAgent': () => ok(this.ofAgent),
      'harnesses.processes': () => ok({ processes: [...this.processes] }),
      'harnesses.endProcess': (input: MethodInput<'harnesses.endProcess'>) => this.end(input.id),
      'harnesses.restartProcess': (input: MethodInput<'harnesses.restartProcess'>) => this.end(input.id),
      'harnesses.log': () =>
        this.log === null ? err(textError('not_found', 'No program ran.')) : ok(this.log),
    };
  }

  private end(id: string) {
    this.processes = this.processes.filter((one) => one.id !== id);
    return ok({});
  }
}
