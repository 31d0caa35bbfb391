import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';
import type { Account, RoomsSnapshot } from '../../services/puffo/account-types.ts';
import type { RequestError } from '../../services/puffo/request-error.ts';
import type { Operator } from '../identity/operator.ts';
import { type Channel, findChannel, findSpace, type Space } from './find-space.ts';
import { spaceError } from './space-errors.ts';

const nobody = fail('conflict', 'spaces.noOperator', {}, { help: 'chat.startDemoOrSignUp' });

/** The operator's account with lookup by name; a miss refreshes the rooms once. */
export interface OperatorSpaces {
  account(): Result<Account>;
  space(wanted: string): Promise<Result<Space>>;
  channel(wanted: string, inSpace?: string): Promise<Result<Channel>>;
  /** Awaits a server call, refreshes the rooms, and turns an error into a message with the help of `may`. */
  done<T>(doing: Promise<Result<T, RequestError>>, may: HostText): Promise<Result<T>>;
}

export interface OperatorSpacesDeps {
  readonly operator: Pick<Operator, 'session'>;
  refreshRooms(): void;
}

export function createOperatorSpaces({ operator, refreshRooms }: OperatorSpacesDeps): OperatorSpaces {
  const account = (): Result<Account> => {
    const session = operator.session();
    return session ? ok(session.self.account) : err(nobody);
  };
  const find = async <T>(look: (rooms: RoomsSnapshot) => Result<T>): Promise<Result<T>> => {
    const self = account();
    if (!self.ok) return self;
    const known = look(self.value.rooms());
    if (known.ok || known.error.code !== 'not_found') return known;
    const read = await self.value.refreshRooms();
    return read.ok ? look(self.value.rooms()) : err(spaceError(read.error, known.error.message));
  };
  return {
    account,
    space: (wanted) => find((rooms) => findSpace(wanted, rooms)),
    channel: (wanted, inSpace) => find((rooms) => findChannel(wanted, rooms, inSpace)),
    async done(doing, may) {
      const result = await doing;
      refreshRooms();
      return result.ok ? result : err(spaceError(result.error, may));
    },
  };
}
