import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import type { Handlers } from '../dispatch.ts';
import type { StreamProxy } from './proxy.ts';

type ProxyMethods = Pick<Handlers, 'proxy.newToken' | 'proxy.tokens' | 'proxy.revoke'>;

export function createProxyHandlers(proxy: Pick<StreamProxy, 'tokens' | 'url'>): ProxyMethods {
  return {
    'proxy.newToken': ({ name }) => {
      if (!/^[\w.-]{1,60}$/.test(name)) return err(badName);
      const token = proxy.tokens.create(name);
      return token.ok ? ok({ token: token.value, url: proxy.url() }) : token;
    },
    'proxy.tokens': () => {
      const tokens = proxy.tokens.list();
      return tokens.ok ? ok({ tokens: [...tokens.value] }) : tokens;
    },
    'proxy.revoke': ({ name }) => {
      const revoked = proxy.tokens.revoke(name);
      return revoked.ok ? ok({}) : revoked;
    },
  };
}

const badName = fail('invalid_input', 'proxy.invalidName', {}, { where: 'name' });
