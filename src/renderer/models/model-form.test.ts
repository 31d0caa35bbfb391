import { expect, it } from 'vitest';
import { savedFields } from './model-form.ts';

const settings = { providers: { openai: { model: 'gpt-x', baseUrl: 'https://gateway.example/v1' } } };
const own = { provider: 'anthropic', model: 'own-1', baseUrl: 'https://own.example' };

it('A provider chosen for all agents starts with its saved address, so that saving keeps it', () => {
  expect(savedFields({ settings, provider: 'openai', model: '', forAll: true })).toEqual({
    provider: 'openai',
    model: 'gpt-x',
    baseUrl: 'https://gateway.example/v1',
    apiKey: '',
  });
});

it('An agent that returns to its own provider keeps its own model and address', () => {
  expect(savedFields({ settings, provider: 'anthropic', model: '', own, forAll: false })).toMatchObject({
    model: 'own-1',
    baseUrl: 'https://own.example',
  });
  expect(savedFields({ settings, provider: 'openai', model: '', own, forAll: false })).toMatchObject({
    baseUrl: '',
  });
});
