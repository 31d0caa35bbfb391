/** Agent programs of the fake host: what is installed, and its tests. */
import { textError } from '../../src/contract/errors.ts';
import type { HarnessLog, HarnessProcessView } from '../../src/contract/harness-processes.ts';
import type { HarnessCanary, HarnessView } from '../../src/contract/harnesses.ts';
import type { MethodInput, MethodName } from '../../src/contract/methods.ts';
import { err, ok } from '../../src/contract/result.ts';
import type { Handler } from './fake-host.ts';

export class FakePrograms {
  installed: readonly HarnessView[] = [];
  /** The computer offers a sandbox for them. */
  hasWall = true;
  /** Checks that a program passes when it is tested. */
  passes: HarnessCanary['passed'] = ['shell', 'edit', 'network', 'subAgent', 'denial', 'rewrite'];

  processes: HarnessProcessView[] = [];
  log: HarnessLog | null = null;

  table(): Partial<Record<MethodName, Handler>> {
    return {
      'harnesses.list': () => ok({ harnesses: [...this.installed], hasWall: this.hasWall }),
      'harnesses.test': ({ id }: MethodInput<'harnesses.test'>) => {
        const version = this.installed.find((one) => one.id === id)?.version ?? '';
        const canary = { version, at: Date.now(), passed: this.passes };
        this.installed = this.installed.map((one) => (one.id === id ? { ...one, canary } : one));
        return ok({ canary });
      },
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
