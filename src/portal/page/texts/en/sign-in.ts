export const signIn = {
  title: "Sign in",
  welcome: "Your vehicles on the map, your keys to the data.",
  signedOut: "You were signed out. Sign in again to go on.",
  email: "E-mail",
  password: "Password",
  signingIn: "Signing in…",
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
