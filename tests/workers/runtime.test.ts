import { metricsAddress, runtimeOptions } from '../../workers/runtime';

test('a port alone is one of the loopback, an address is taken as it is, and nothing is nowhere', () => {
  const addressOf = (text: string) => metricsAddress({ CO_SCIENTIST_METRICS_PORT: text });
  expect(addressOf('9464')).toBe('127.0.0.1:9464');
  expect(addressOf('0.0.0.0:9464')).toBe('0.0.0.0:9464');
  expect(addressOf('[::1]:9464')).toBe('[::1]:9464');
  expect(addressOf(' ')).toBeNull();
  expect(metricsAddress({})).toBeNull();
});

test.each(['metrics', '0', '65536', '127.0.0.1', '9464/metrics'])('%s is no place for metrics', (text) => {
  expect(() => metricsAddress({ CO_SCIENTIST_METRICS_PORT: text })).toThrow(
    /CO_SCIENTIST_METRICS_PORT: not a port/,
  );
});

test('neither metrics nor JSON logs are on unless they are asked for', () => {
  const options = runtimeOptions({});
  expect(options).not.toHaveProperty('logger');
  expect(options.telemetryOptions).not.toHaveProperty('metrics');
});
