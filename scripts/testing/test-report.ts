/** The parts of Vitest's JSON report that are read here. */
export type VitestReport = {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    /** The error of a file that failed outside of its tests. */
    message: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      failureMessages: string[];
    }[];
  }[];
};

/** The parts of Playwright's JSON report that are read here. */
export type PlaywrightReport = {
  errors: PlaywrightError[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
};

export type PlaywrightSuite = {
  title: string;
  specs: {
    title: string;
    file: string;
    tests: { status: string; results: { errors: PlaywrightError[] }[] }[];
  }[];
  suites?: PlaywrightSuite[];
};

export type PlaywrightError = { message?: string; stack?: string; value?: string };

export type TestReport = VitestReport | PlaywrightReport;
