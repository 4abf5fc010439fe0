export const errors = {
  pageFault: "Something went wrong in this page. Reloading it may help.",
  unreachable: "The server cannot be reached. Is it running, and are you online?",
  tooManyAttempts: (wait: string) => `Too many attempts. Please wait ${wait} and try again.`,
  minutes: (count: string) => `${count} minutes`,
  seconds: (count: string) => `${count} seconds`,
  rateLimited: "Too many requests at once. Please wait a moment and try again.",
  forbidden: "You may not do this.",
  notFound: "This is not there, or not visible to you.",
  failed: "The server has failed at this. Please try again in a moment.",
  busy: "The server is busy. Nothing was saved; please try again in a moment.",
  wrongSignIn: "The e-mail or the password is wrong.",
  noSuchPerson:
    "Nobody may sign in here with that e-mail. Ask the owner of your account to invite it, and confirm it with the service that you sign in with.",
  signInUnfinished: "The sign-in was not finished, or took too long. Begin again.",
  providerUnavailable: "The service that you sign in with does not answer. Try again later, or use your password.",
  refused: "The server refused this.",
  /** Of forms, by field; the server says it in English. */
  fields: {
    name: "Write 1 to 100 characters, without control characters.",
    current_password: "This is not your password.",
    new_password: "Choose another password of 8 to 200 characters.",
    scopes: "Choose at least one.",
    expires_at: "Choose a day in the future.",
    per_second: "Write a whole number within the limit, or nothing.",
    per_day: "Write a whole number within the limit, or nothing.",
  } as Readonly<Record<string, string>>,
};
