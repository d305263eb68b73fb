/** What is known of each beforehand: its chance of a right answer. */
export const DEMO_CANDIDATES = {
  'known-50': { spec: 'sim:elm,accuracy=0.5,latency=200', accuracy: 0.5 },
  'known-64': { spec: 'sim:elm,accuracy=0.64,latency=200', accuracy: 0.64 },
  'known-90': { spec: 'sim:elm,accuracy=0.9,latency=200', accuracy: 0.9 },
  'always-a': { spec: 'sim:elm,answer=always-a,latency=200', accuracy: 0.5 },
} as const;
