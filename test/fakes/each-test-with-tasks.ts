import path from 'node:path';
import { afterEach } from 'vitest';
import type { TaskStore } from '../../src/core/tasks/task-ports.ts';
import { eachTestInFolder } from './each-test-in-folder.ts';
import { openSampleTasks } from './task-samples.ts';

/** Gives each test of the file a task store of its own, in which agent "a" works on one task at a time. */
export function eachTestWithTasks(use: (store: TaskStore, folder: string) => void): void {
  let store: TaskStore;
  eachTestInFolder('kennel-tasks-', (folder) => {
    store = openSampleTasks(path.join(folder, 'tasks.db'));
    store.setConcurrency('a', 1);
    use(store, folder);
  });
  afterEach(() => store.release());
}
