export const signIn = {
  title: "Sign in",
  welcome: "Your vehicles on the map, your keys to the data.",
  signedOut: "You were signed out. Sign in again to go on.",
  email: "E-mail",
  password: "Password",
  signingIn: "Signing in…",
  or: "or",
  with: (name: string) => `Sign in with ${name}`,
  noAccount: "This server has no account yet",
  noAccountText:
    "Whoever started the server has a link to create one. It was printed when the server started, or is in the file setup-link of its data directory. Open that link.",
  forgot: "Forgot your password?",
  askOwner:
    "Forgot your password? The owner of your account can send you a link to a new one. Owners ask whoever runs this service.",
  forgotTitle: "A new password",
  forgotWhat: "We mail you a link with which you choose one.",
  sendLink: "Mail me a link",
  sending: "Sending…",
  sent: "If this is the address of somebody here, a mail with a link is on its way. It works once, for 24 hours.",
  back: "Back to the sign-in",
};
