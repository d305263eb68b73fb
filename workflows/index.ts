/** The bundle's entry: every workflow a worker runs. */
export { bench } from './bench';
export { candidate } from './candidate';
export { hypothesis } from './hypothesis';
export { nightly } from './nightly';
export { rubric } from './rubric';
export { scipivot } from './scipivot';
export { tournament } from './tournament';
