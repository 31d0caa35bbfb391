/** Failures of the SDK as errors of Kennel. Texts of a server are cut and made visible. */
import {
  OAuthClientFlowError,
  OAuthError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type AppError, textError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { toVisibleLine } from '../../contract/visible-text.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import { McpLimitError } from './message-limits.ts';

const maxShown = 500;

/** One line of a text that a server sent or that quotes one. */
export const visibleReason = (text: string): string =>
  toVisibleLine(cutCodePoints(text, maxShown).replaceAll(/\s+/g, ' '));

export const connectionClosed = (): AppError => fail('unavailable', 'mcpClient.connectionClosed');
export const timedOut = (): AppError => fail('timeout', 'mcpClient.timedOut');
export const cancelled = (): AppError => fail('cancelled', 'mcpClient.cancelled');

/** The error below wrappers that the SDK or `fetch` put around it. */
export function causeOf<T extends Error>(error: unknown, isWanted: (error: unknown) => error is T): T | null {
  for (let [each, depth] = [error, 0]; depth < 5 && each instanceof Error; depth += 1) {
    if (isWanted(each)) return each;
    each = each.cause;
  }
  return null;
}

export const isUnauthorized = (error: unknown): error is UnauthorizedError =>
  error instanceof UnauthorizedError;
const isLimit = (error: unknown): error is McpLimitError => error instanceof McpLimitError;

/** The session is gone: the server restarted, or it has forgotten an idle one. */
export const isSessionLost = (error: unknown): boolean =>
  error instanceof SdkHttpError && error.status === 404;

const invalidParams = -32602;
const methodNotFound = -32601;
const resourceNotFound = -32002;

function protocolError({ code, message }: ProtocolError): AppError {
  const reason = visibleReason(message);
  if (code === methodNotFound) return fail('unsupported', 'mcpClient.notOffered', { reason });
  if (code === resourceNotFound) return fail('not_found', 'mcpClient.refused', { reason });
  if (code === invalidParams) return fail('invalid_input', 'mcpClient.refused', { reason });
  return fail('protocol', 'mcpClient.refused', { reason });
}

export function toAppError(error: unknown): AppError {
  const limit = causeOf(error, isLimit);
  if (limit) return textError('too_large', limit.said);
  if (causeOf(error, isUnauthorized) || error instanceof OAuthError || error instanceof OAuthClientFlowError)
    return fail('unauthenticated', 'mcpClient.notAuthorized', {
      reason: visibleReason(error instanceof Error ? error.message : String(error)),
    });
  if (error instanceof ProtocolError) return protocolError(error);
  const reason = visibleReason(error instanceof Error ? error.message : String(error));
  if (!(error instanceof SdkError)) return fail('unavailable', 'mcpClient.unreachable', { reason });
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return timedOut();
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return connectionClosed();
    case SdkErrorCode.CapabilityNotSupported:
    case SdkErrorCode.MethodNotSupportedByProtocolVersion:
      return fail('unsupported', 'mcpClient.notOffered', { reason });
    case SdkErrorCode.ListPaginationExceeded:
      return fail('too_large', 'mcpClient.listTooLong');
    case SdkErrorCode.ClientHttpAuthentication:
    case SdkErrorCode.ClientHttpForbidden:
      return fail('unauthenticated', 'mcpClient.notAuthorized', { reason });
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
      return fail('protocol', 'mcpClient.invalidAnswer', { reason });
    default:
      return fail('unavailable', 'mcpClient.unreachable', { reason });
  }
}
