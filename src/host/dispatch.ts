/**
 * The single entry point for calls: finds the method, checks the caller, parses the input, runs the handler
 * and returns a `Result`. Nothing is thrown to the caller; a handler that throws is logged and answered with
 * `internal` or the store's error.
 */

import type { z } from 'zod';
import { appError } from '../contract/errors.ts';
import { fail } from '../contract/fail.ts';
import { inputText } from '../contract/issue-text.ts';
import { type Principal, parseInput } from '../contract/method-row.ts';
import {
  isMethodName,
  type MethodName,
  type MethodOutput,
  type MethodParsed,
  methods,
} from '../contract/methods.ts';
import { err, type Result } from '../contract/result.ts';
import { StoreError } from '../core/lib/store-error.ts';
import type { Log } from '../core/ports.ts';

export type Handler<M extends MethodName> = (
  input: MethodParsed<M>,
  principal: Principal,
) => Result<MethodOutput<M>> | Promise<Result<MethodOutput<M>>>;

export type Handlers = { readonly [M in MethodName]: Handler<M> };

type AnyHandler = (input: unknown, principal: Principal) => Result<unknown> | Promise<Result<unknown>>;

export type Dispatch = (principal: Principal, method: string, input: unknown) => Promise<Result<unknown>>;

async function run(handler: AnyHandler, input: unknown, principal: Principal, log: Log, method: string) {
  try {
    return await handler(input, principal);
  } catch (error) {
    if (error instanceof StoreError) {
      log.error('store_failed', { method, error });
      return err(error.toAppError());
    }
    log.error('handler_failed', { method, error });
    return err(fail('internal', 'host.internalBug', { method }, { help: 'host.checkLog' }));
  }
}

export function createDispatch(handlers: Handlers, log: Log): Dispatch {
  return async (principal, method, input) => {
    if (!isMethodName(method)) return err(fail('not_found', 'host.unknownMethod', { method }));
    const row = methods[method];
    if (!row.callers.includes(principal.kind)) {
      log.warn('call_forbidden', { method, principal: principal.kind });
      return err(fail('forbidden', 'host.callNotAllowed', { method }));
    }
    const parsed = parseInput<z.ZodType>(row.input, input ?? {});
    if (!parsed.success) return err(appError('invalid_input', inputText(parsed.issues)));
    return run(handlers[method] as AnyHandler, parsed.data, principal, log, method);
  };
}
